import java.util.concurrent.*;

/** A string swings: strips of it by threads, which meet after every step; who comes last swaps the arrays. */
public final class Wave {
    static double[] now, before, next;

    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 3), n = Integer.getInteger("n", 300000), steps = Integer.getInteger("steps", 150);
        now = new double[n];
        before = new double[n];
        next = new double[n];
        for (int i = 0; i < n; i++) now[i] = before[i] = Math.sin(Math.PI * i / (n - 1));
        CyclicBarrier barrier = new CyclicBarrier(threads, () -> {
            double[] t = before;
            before = now;
            now = next;
            next = t;
        });
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        CountDownLatch done = new CountDownLatch(threads);
        for (int t = 0; t < threads; t++) {
            int from = Math.max(1, (int) ((long) n * t / threads)), to = Math.min(n - 1, (int) ((long) n * (t + 1) / threads));
            pool.submit(() -> {
                for (int s = 0; s < steps; s++) {
                    for (int i = from; i < to; i++) next[i] = 2 * now[i] - before[i] + 0.25 * (now[i - 1] - 2 * now[i] + now[i + 1]);
                    try {
                        barrier.await();
                    } catch (InterruptedException | BrokenBarrierException e) {
                        throw new IllegalStateException(e);
                    }
                }
                done.countDown();
            });
        }
        done.await();
        pool.shutdown();
        System.out.println(now[n / 2]);
    }
}
