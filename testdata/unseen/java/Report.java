import java.util.*;
import java.util.concurrent.*;

/** Prices of products come from three services; the offers of all products are put together as they come in. */
public final class Report {
    static final int STEPS = Integer.getInteger("steps", 60000);

    static double compute(long seed, int steps) {
        double x = seed;
        for (int i = 0; i < steps; i++) x = Math.sqrt(x * x + i) * 0.999 + (seed ^ i) % 7;
        return x;
    }

    static double stock(int product) {
        try {
            Thread.sleep(2);
        } catch (InterruptedException e) {
            throw new CompletionException(e);
        }
        return compute(product, STEPS / 10);
    }

    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 4);
        int products = Integer.getInteger("products", 250);
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        List<CompletableFuture<String>> offers = new ArrayList<>();
        for (int p = 0; p < products; p++) {
            final int product = p;
            CompletableFuture<Double> price = CompletableFuture.supplyAsync(() -> compute(product, STEPS), pool);
            CompletableFuture<Double> stock = CompletableFuture.supplyAsync(() -> stock(product), pool);
            offers.add(price.thenCombine(stock, (a, b) -> a * b)
                .thenApplyAsync(v -> String.format("%d: %.2f", product, v + compute((long) (v + product), STEPS / 2)), pool));
        }
        CompletableFuture.allOf(offers.toArray(new CompletableFuture<?>[0])).join();
        int length = 0;
        for (CompletableFuture<String> o : offers) length += o.get().length();
        pool.shutdown();
        System.out.println(length);
    }
}
