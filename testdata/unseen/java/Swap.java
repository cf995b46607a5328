import java.util.concurrent.Exchanger;
import java.util.Arrays;

/** A filler and an emptier exchange buffers; several such pairs. */
public class Swap {
    public static void main(String[] args) throws Exception {
        int pairs = Integer.getInteger("pairs", 2), rounds = Integer.getInteger("rounds", 100), size = Integer.getInteger("size", 200000);
        Thread[] ts = new Thread[2 * pairs];
        long[] total = new long[pairs];
        for (int p = 0; p < pairs; p++) {
            Exchanger<int[]> x = new Exchanger<>();
            int id = p;
            ts[2 * p] = new Thread(() -> {
                try {
                    int[] buf = new int[size];
                    int seed = id + 1;
                    for (int r = 0; r < rounds; r++) {
                        for (int i = 0; i < size; i++) {
                            seed = seed * 1103515245 + 12345;
                            buf[i] = seed >>> 8;
                        }
                        buf = x.exchange(buf);
                    }
                } catch (InterruptedException e) { }
            });
            ts[2 * p + 1] = new Thread(() -> {
                try {
                    int[] buf = new int[size];
                    for (int r = 0; r < rounds; r++) {
                        buf = x.exchange(buf);
                        long s = 0;
                        for (int k = 0; k < 3; k++) for (int v : buf) s += v % 7;
                        total[id] += s;
                    }
                } catch (InterruptedException e) { }
            });
        }
        for (Thread t : ts) t.start();
        for (Thread t : ts) t.join();
        System.out.println(Arrays.toString(total));
    }
}
