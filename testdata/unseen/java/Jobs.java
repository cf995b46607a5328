import java.util.*;

/** A scheduler of jobs: a job may lead to more, which its thread adds; who finds none waits until there is one or all is done. */
public class Jobs {
    static final ArrayDeque<long[]> open = new ArrayDeque<>();
    static int running;

    static void add(long seed, long depth) {
        synchronized (open) {
            open.addLast(new long[] {seed, depth});
            open.notify();
        }
    }

    static long[] next() throws InterruptedException {
        synchronized (open) {
            while (open.isEmpty()) {
                if (running == 0) {
                    open.notifyAll();
                    return null;
                }
                open.wait();
            }
            running++;
            return open.removeFirst();
        }
    }

    static void done() {
        synchronized (open) {
            if (--running == 0 && open.isEmpty()) open.notifyAll();
        }
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 3), depth = Integer.getInteger("depth", 14), steps = Integer.getInteger("steps", 400000);
        add(1, 0);
        Thread[] all = new Thread[threads];
        long[] sums = new long[threads];
        for (int i = 0; i < threads; i++) {
            final int id = i;
            all[i] = new Thread(() -> {
                try {
                    for (long[] job; (job = next()) != null; ) {
                        long x = job[0];
                        for (int s = 0; s < steps; s++) x = x * 6364136223846793005L + 1442695040888963407L;
                        if (job[1] < depth) for (int k = 0; k < 1 + (x >>> 40) % 3; k++) add(x + k, job[1] + 1);
                        sums[id] += x & 15;
                        done();
                    }
                } catch (InterruptedException e) { }
            });
            all[i].start();
        }
        for (Thread t : all) t.join();
        System.out.println(Arrays.stream(sums).sum());
    }
}
