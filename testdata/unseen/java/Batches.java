import java.util.*;
import java.util.concurrent.*;

/** Scores documents: requests are drained into batches, which a pool of scorers works at. */
public class Batches {
    record Request(int doc, CompletableFuture<Double> score) {}

    static final BlockingQueue<Request> inbox = new ArrayBlockingQueue<>(1000);
    static final Request STOP = new Request(-1, null);

    static void collect(ExecutorService scorers, int size) throws InterruptedException {
        while (true) {
            List<Request> batch = new ArrayList<>();
            Request first = inbox.take();
            if (first == STOP) return;
            batch.add(first);
            inbox.drainTo(batch, size - 1);
            boolean last = batch.remove(STOP);
            scorers.execute(() -> score(batch));
            if (last) return;
        }
    }

    static void score(List<Request> batch) {
        double weight = 0;
        for (int i = 1; i < 40000; i++) weight += Math.sqrt(i);
        for (Request r : batch) {
            double s = r.doc();
            for (int i = 0; i < 8000; i++) s = Math.sin(s) + weight * 1e-12;
            r.score().complete(s);
        }
    }

    static double ask(int doc) {
        Request r = new Request(doc, new CompletableFuture<>());
        inbox.add(r);
        return r.score().join();
    }

    public static void main(String[] args) throws Exception {
        int clients = Integer.getInteger("clients", 8), asks = Integer.getInteger("asks", 600);
        int scorers = Integer.getInteger("scorers", 2), size = Integer.getInteger("size", 5);
        ExecutorService pool = Executors.newFixedThreadPool(scorers);
        Thread collector = new Thread(() -> {
            try {
                collect(pool, size);
            } catch (InterruptedException e) {
                throw new RuntimeException(e);
            }
        });
        collector.start();
        Thread[] all = new Thread[clients];
        double[] sums = new double[clients];
        for (int c = 0; c < clients; c++) {
            int me = c;
            all[c] = new Thread(() -> {
                for (int i = 0; i < asks; i++) {
                    double s = ask(me * 1000 + i);
                    for (int k = 0; k < 4000; k++) s = Math.cos(s);
                    sums[me] += s;
                }
            });
            all[c].start();
        }
        for (Thread t : all) t.join();
        inbox.add(STOP);
        collector.join();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(Arrays.stream(sums).sum());
    }
}
