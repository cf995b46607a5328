import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Guests check in at desks, take one of few rooms for a time, are billed by clerks and leave. */
public class Hotel {
    static long crunch(long x, int n) {
        for (int i = 0; i < n; i++) x = x * 6364136223846793005L + 1442695040888963407L;
        return x;
    }
    public static void main(String[] args) throws Exception {
        int desks = Integer.getInteger("desks", 2), rooms = Integer.getInteger("rooms", 5), clerks = Integer.getInteger("clerks", 1);
        int guests = Integer.getInteger("guests", 1500);
        Semaphore free = new Semaphore(rooms);
        ArrayBlockingQueue<Long> bills = new ArrayBlockingQueue<>(10);
        ReentrantLock ledger = new ReentrantLock();
        long[] sum = {0};
        ExecutorService reception = Executors.newFixedThreadPool(desks);
        ScheduledExecutorService stays = Executors.newScheduledThreadPool(1);
        Thread[] billing = new Thread[clerks];
        for (int i = 0; i < clerks; i++) {
            billing[i] = new Thread(() -> {
                try {
                    for (long b; (b = bills.take()) != -1; ) {
                        long v = crunch(b, 700_000);
                        ledger.lock();
                        try { sum[0] += crunch(v, 100_000); } finally { ledger.unlock(); }
                    }
                } catch (InterruptedException e) { throw new RuntimeException(e); }
            }, "clerk-" + i);
            billing[i].start();
        }
        CountDownLatch gone = new CountDownLatch(guests);
        for (int g = 0; g < guests; g++) {
            long id = g;
            reception.execute(() -> {
                try {
                    free.acquire();
                    long v = crunch(id, 500_000);
                    stays.schedule(() -> {
                        free.release();
                        try { bills.put(v & 0xffffff); } catch (InterruptedException e) { throw new RuntimeException(e); }
                        gone.countDown();
                    }, 4, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) { throw new RuntimeException(e); }
            });
        }
        gone.await();
        for (int i = 0; i < clerks; i++) bills.put(-1L);
        for (Thread t : billing) t.join();
        reception.shutdown();
        stays.shutdown();
        System.out.println(sum[0]);
    }
}
