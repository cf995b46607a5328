import java.util.*;
import java.util.concurrent.*;
import java.util.stream.*;

/** Offers for a journey: flights, hotels and cars are asked at the same time, combined and ranked; a slow partner is asked again. */
public class Travel {
    static long mix(long x, int n) {
        for (int i = 0; i < n; i++) { x ^= x << 13; x ^= x >>> 7; x ^= x << 17; }
        return x;
    }
    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 2), users = Integer.getInteger("users", 4);
        int trips = Integer.getInteger("trips", 150), delay = Integer.getInteger("delay", 6);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        Executor later = CompletableFuture.delayedExecutor(delay, TimeUnit.MILLISECONDS, pool);
        List<Thread> us = new ArrayList<>();
        LongSummary total = new LongSummary();
        for (int u = 0; u < users; u++) {
            int me = u;
            Thread t = new Thread(() -> {
                for (int i = 0; i < trips; i++) {
                    long id = me * 1000L + i + 1;
                    var flight = CompletableFuture.supplyAsync(() -> mix(id, 400_000), pool);
                    var hotel = CompletableFuture.supplyAsync(() -> mix(id * 3, 200_000), pool);
                    var car = CompletableFuture.supplyAsync(() -> mix(id * 7, 100_000), later);
                    var offer = flight.thenCombine(hotel, (a, b) -> a ^ b).thenCombineAsync(car, (a, c) -> mix(a + c, 150_000), pool);
                    total.add(offer.join());
                }
            }, "user-" + u);
            us.add(t);
            t.start();
        }
        for (Thread t : us) t.join();
        pool.shutdown();
        System.out.println(total.sum());
    }
    static class LongSummary {
        private long sum;
        synchronized void add(long x) { sum += x; }
        synchronized long sum() { return sum; }
    }
}
