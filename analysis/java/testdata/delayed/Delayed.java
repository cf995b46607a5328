import java.util.concurrent.*;

/** Five tasks with a delay, of which one is cancelled; one without, and one that another thread submits. */
public class Delayed {
    public static void main(String[] args) throws Exception {
        ScheduledExecutorService later = Executors.newScheduledThreadPool(2);
        CountDownLatch done = new CountDownLatch(6);
        for (int i = 0; i < 4; i++) later.schedule(done::countDown, 20, TimeUnit.MILLISECONDS);
        ScheduledFuture<?> never = later.schedule(done::countDown, 1, TimeUnit.HOURS);
        never.cancel(false);
        later.execute(done::countDown);
        Thread t = new Thread(() -> later.schedule(done::countDown, 20_000, TimeUnit.MICROSECONDS));
        t.start();
        t.join();
        done.await();
        later.shutdown();
    }
}
