import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;

/** Tasks of an executor, each of which does several small computations. */
public class Mixed {
    static int distance(byte[] a, byte[] b) {
        int[] row = new int[b.length + 1];
        for (int j = 0; j <= b.length; j++) row[j] = j;
        for (int i = 1; i <= a.length; i++) {
            int last = row[0]++;
            for (int j = 1; j <= b.length; j++) {
                int up = row[j];
                row[j] = Math.min(Math.min(row[j], row[j - 1]) + 1, last + (a[i - 1] == b[j - 1] ? 0 : 1));
                last = up;
            }
        }
        return row[b.length];
    }
    static long knapsack(int[] weight, int[] value, int room) {
        long[] best = new long[room + 1];
        for (int i = 0; i < weight.length; i++)
            for (int w = room; w >= weight[i]; w--) best[w] = Math.max(best[w], best[w - weight[i]] + value[i]);
        return best[room];
    }
    static double determinant(double[][] m) {
        double det = 1;
        int n = m.length;
        for (int k = 0; k < n; k++) {
            int p = k;
            for (int i = k + 1; i < n; i++) if (Math.abs(m[i][k]) > Math.abs(m[p][k])) p = i;
            double[] t = m[k]; m[k] = m[p]; m[p] = t;
            if (m[k][k] == 0) return 0;
            det *= m[k][k];
            for (int i = k + 1; i < n; i++) {
                double f = m[i][k] / m[k][k];
                for (int j = k; j < n; j++) m[i][j] -= f * m[k][j];
            }
        }
        return det;
    }
    static int queens(int n, int row, int cols, int d1, int d2) {
        if (row == n) return 1;
        int sum = 0;
        for (int free = ~(cols | d1 | d2) & ((1 << n) - 1); free != 0; free &= free - 1) {
            int bit = free & -free;
            sum += queens(n, row + 1, cols | bit, (d1 | bit) << 1, (d2 | bit) >> 1);
        }
        return sum;
    }
    static long hash(byte[] b) {
        long h = 0xcbf29ce484222325L;
        for (int r = 0; r < 40; r++) for (byte x : b) h = (h ^ x) * 0x100000001b3L;
        return h;
    }
    static long task(int seed) {
        java.util.Random r = new java.util.Random(seed);
        byte[] a = new byte[400], b = new byte[400];
        r.nextBytes(a); r.nextBytes(b);
        for (int i = 0; i < a.length; i++) { a[i] &= 7; b[i] &= 7; }
        int[] w = new int[60], v = new int[60];
        for (int i = 0; i < w.length; i++) { w[i] = 1 + r.nextInt(50); v[i] = r.nextInt(100); }
        double[][] m = new double[60][60];
        for (double[] row : m) for (int j = 0; j < row.length; j++) row[j] = r.nextDouble();
        return distance(a, b) + knapsack(w, v, 1500) + (long) (determinant(m) * 10) + queens(8, 0, 0, 0, 0) + hash(a);
    }
    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 4);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        AtomicLong sum = new AtomicLong();
        for (int i = 0; i < 2500; i++) { int seed = i; pool.execute(() -> sum.addAndGet(task(seed))); }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.HOURS);
        System.out.println(sum);
    }
}
