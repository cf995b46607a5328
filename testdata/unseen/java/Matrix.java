/** Multiplies matrices: java Matrix THREADS SIZE */
public class Matrix {
    public static void main(String[] args) throws Exception {
        int threads = Integer.parseInt(args[0]);
        int size = Integer.parseInt(args[1]);
        double[][] a = new double[size][size], b = new double[size][size], c = new double[size][size];
        for (int i = 0; i < size; i++)
            for (int j = 0; j < size; j++) {
                a[i][j] = i + j;
                b[i][j] = i - j;
            }
        for (int round = 0; round < 5; round++) {
            Thread[] ts = new Thread[threads];
            for (int t = 0; t < threads; t++) {
                final int id = t;
                ts[t] = new Thread(() -> {
                    int lo = id * size / threads, hi = (id + 1) * size / threads;
                    for (int i = lo; i < hi; i++)
                        for (int j = 0; j < size; j++) {
                            double s = 0;
                            for (int k = 0; k < size; k++) s += a[i][k] * b[k][j];
                            c[i][j] = s;
                        }
                });
                ts[t].start();
            }
            for (Thread t : ts) t.join();
        }
        System.out.println(c[1][1]);
    }
}
