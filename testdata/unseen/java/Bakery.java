import java.util.concurrent.Semaphore;

/** Bakers put loaves on a shelf, clerks slice and pack them: the bounded buffer of the textbooks, with three semaphores. */
public class Bakery {
    static final int BAKERS = Integer.getInteger("bakers", 2);
    static final int CLERKS = Integer.getInteger("clerks", 3);
    static final int SHELF = Integer.getInteger("shelf", 8);
    static final int LOAVES = Integer.getInteger("loaves", 2400);
    static final int STEPS = Integer.getInteger("steps", 40000);
    static final long END = -1;

    static class Shelf {
        private final long[] places = new long[SHELF];
        private int in, out;
        private final Semaphore empty = new Semaphore(SHELF), full = new Semaphore(0), mutex = new Semaphore(1);

        void put(long loaf) throws InterruptedException {
            empty.acquire();
            mutex.acquire();
            places[in] = loaf;
            in = (in + 1) % SHELF;
            mutex.release();
            full.release();
        }

        long take() throws InterruptedException {
            full.acquire();
            mutex.acquire();
            long loaf = places[out];
            out = (out + 1) % SHELF;
            mutex.release();
            empty.release();
            return loaf;
        }
    }

    static long work(long x, int n) {
        for (int i = 0; i < n; i++) x = x * 6364136223846793005L + 1442695040888963407L;
        return x >>> 1;
    }

    public static void main(String[] args) throws InterruptedException {
        Shelf shelf = new Shelf();
        Thread[] bakers = new Thread[BAKERS], clerks = new Thread[CLERKS];
        long[] sums = new long[CLERKS];
        for (int b = 0; b < BAKERS; b++) {
            int first = b;
            bakers[b] = new Thread(() -> {
                try {
                    for (int i = first; i < LOAVES; i += BAKERS) shelf.put(work(i, STEPS));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            bakers[b].start();
        }
        for (int c = 0; c < CLERKS; c++) {
            int me = c;
            clerks[c] = new Thread(() -> {
                try {
                    for (long loaf; (loaf = shelf.take()) != END; ) sums[me] ^= work(loaf, 3 * STEPS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            clerks[c].start();
        }
        for (Thread t : bakers) t.join();
        for (int c = 0; c < CLERKS; c++) shelf.put(END);
        for (Thread t : clerks) t.join();
        long sum = 0;
        for (long s : sums) sum ^= s;
        System.out.println(sum);
    }
}
