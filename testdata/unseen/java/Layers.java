import java.util.concurrent.*;

/** A network is trained by layers: workers take parts of a layer from a counter, meet at a barrier after each layer, one averages. */
public class Layers {
    static final int THREADS = Integer.getInteger("threads", 3);
    static final int EPOCHS = Integer.getInteger("epochs", 100);
    static final int LAYERS = Integer.getInteger("layers", 5);
    static final int PARTS = Integer.getInteger("parts", 24);
    static final int SIZE = Integer.getInteger("size", 20000);

    static int taken, layer;
    static double[] sums = new double[1024];
    static double model;
    static final Object lock = new Object();

    static int take() {
        synchronized (lock) { return taken < PARTS ? taken++ : -1; }
    }

    static double part(int p) {
        double s = model;
        for (int i = 0; i < SIZE; i++) s += Math.sqrt((p + 1) * (i + 1.0)) / (1 + layer);
        return s / SIZE;
    }

    public static void main(String[] args) throws Exception {
        CyclicBarrier barrier = new CyclicBarrier(THREADS, () -> {
            double m = 0;
            for (int p = 0; p < PARTS; p++) m += sums[p];
            model = m / PARTS;
            layer = (layer + 1) % LAYERS;
            taken = 0;
        });
        Thread[] workers = new Thread[THREADS];
        for (int t = 0; t < THREADS; t++) {
            workers[t] = new Thread(() -> {
                try {
                    for (int round = 0; round < EPOCHS * LAYERS; round++) {
                        for (int p; (p = take()) >= 0; ) sums[p] = part(p);
                        barrier.await();
                    }
                } catch (InterruptedException | BrokenBarrierException e) { throw new IllegalStateException(e); }
            });
            workers[t].start();
        }
        for (Thread t : workers) t.join();
        System.out.println(model);
    }
}
