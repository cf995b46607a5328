import java.util.concurrent.*;
import java.util.*;

/** K-means with a CyclicBarrier whose action moves the centres. */
public class Cluster {
    static final int K = 24, N = Integer.getInteger("points", 60000), THREADS = Integer.getInteger("threads", 3), ROUNDS = Integer.getInteger("rounds", 40);
    static double[][] points = new double[N][3], centres = new double[K][3];
    static double[][][] sums = new double[THREADS][K][3];
    static int[][] counts = new int[THREADS][K];

    public static void main(String[] args) throws Exception {
        Random r = new Random(7);
        for (double[] p : points) for (int d = 0; d < 3; d++) p[d] = r.nextGaussian();
        for (int k = 0; k < K; k++) centres[k] = points[k].clone();
        CyclicBarrier barrier = new CyclicBarrier(THREADS, () -> {
            for (int k = 0; k < K; k++) {
                int n = 0;
                double[] s = new double[3];
                for (int t = 0; t < THREADS; t++) {
                    n += counts[t][k];
                    for (int d = 0; d < 3; d++) s[d] += sums[t][k][d];
                    counts[t][k] = 0;
                    Arrays.fill(sums[t][k], 0);
                }
                if (n > 0) for (int d = 0; d < 3; d++) centres[k][d] = s[d] / n;
            }
        });
        Thread[] threads = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            int id = t;
            threads[t] = new Thread(() -> {
                try {
                    for (int round = 0; round < ROUNDS; round++) {
                        for (int i = id; i < N; i += THREADS) assign(id, points[i]);
                        barrier.await();
                    }
                } catch (InterruptedException | BrokenBarrierException e) {
                    throw new RuntimeException(e);
                }
            }, "worker-" + t);
            threads[t].start();
        }
        for (Thread t : threads) t.join();
        System.out.println(centres[0][0]);
    }

    static void assign(int id, double[] p) {
        int at = 0;
        double best = Double.MAX_VALUE;
        for (int k = 0; k < K; k++) {
            double d = 0;
            for (int i = 0; i < 3; i++) d += (p[i] - centres[k][i]) * (p[i] - centres[k][i]);
            if (d < best) {
                best = d;
                at = k;
            }
        }
        counts[id][at]++;
        for (int i = 0; i < 3; i++) sums[id][at][i] += p[i];
    }
}
