import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** Threads under a StampedLock write, read, and upgrade. */
public class Grid {
    static final StampedLock lock = new StampedLock();
    static double[] cells = new double[4096];

    static double read() {
        long s = lock.readLock();
        try {
            double sum = 0;
            for (double c : cells) sum += Math.sqrt(c);
            return sum;
        } finally {
            lock.unlockRead(s);
        }
    }

    static void write(int seed) {
        long s = lock.writeLock();
        try {
            for (int i = 0; i < cells.length; i++) cells[i] = Math.abs(Math.sin(seed + i));
        } finally {
            lock.unlockWrite(s);
        }
    }

    static double think(int n) {
        double x = n;
        for (int i = 0; i < 4000; i++) x = Math.sqrt(x + i);
        return x;
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 4), rounds = Integer.getInteger("rounds", 12000), every = Integer.getInteger("every", 10);
        Thread[] ts = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            int id = t;
            ts[t] = new Thread(() -> {
                double x = 0;
                for (int r = 0; r < rounds / threads; r++) {
                    x += think(r);
                    if (r % every == 0) write(r); else x += read();
                }
                if (x == 1) System.out.println(id);
            });
            ts[t].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(cells[7]);
    }
}
