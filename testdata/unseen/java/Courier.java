import java.security.MessageDigest;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;

/** Courier delivers parcels; what fails is put back into the queue by a timer, later each time. */
public class Courier {
    record Parcel(int id, int attempt) {}

    static final LinkedBlockingQueue<Parcel> queue = new LinkedBlockingQueue<>();
    static final Timer timer = new Timer("retries", true);
    static CountDownLatch pending;
    static int work;

    public static void main(String[] args) throws Exception {
        int couriers = Integer.getInteger("couriers", 4), parcels = Integer.getInteger("parcels", 500);
        work = Integer.getInteger("work", 800);
        pending = new CountDownLatch(parcels);
        Thread[] all = new Thread[couriers];
        for (int i = 0; i < couriers; i++) {
            all[i] = new Thread(Courier::run, "courier-" + i);
            all[i].start();
        }
        for (int i = 0; i < parcels; i++) {
            queue.put(new Parcel(i, 0));
        }
        pending.await();
        for (int i = 0; i < couriers; i++) {
            queue.put(new Parcel(-1, 0));
        }
        for (Thread t : all) {
            t.join();
        }
        System.out.println("delivered");
    }

    static void run() {
        try {
            MessageDigest d = MessageDigest.getInstance("SHA-256");
            for (Parcel p; (p = queue.take()).id() >= 0; ) {
                byte[] b = ("parcel " + p.id() + " " + p.attempt()).getBytes();
                for (int i = 0; i < work; i++) {
                    b = d.digest(b);
                }
                Thread.sleep(2);
                if ((b[0] & 255) < 64 && p.attempt() < 5) {
                    Parcel again = new Parcel(p.id(), p.attempt() + 1);
                    timer.schedule(new TimerTask() {
                        public void run() {
                            queue.add(again);
                        }
                    }, 5L << again.attempt());
                } else {
                    pending.countDown();
                }
            }
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
