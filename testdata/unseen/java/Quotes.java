import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;

/** Asks two shops for each article, converts one price, takes the lower one and rounds it: stages of futures on two pools. */
public final class Quotes {
  private static double ask(int shop, int article, int latency) {
    try {
      Thread.sleep(latency + ThreadLocalRandom.current().nextInt(latency));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return 10 + (article * 31 + shop * 17) % 90;
  }

  private static double convert(double price, int steps) {
    double rate = 1;
    for (int i = 1; i < steps; i++) {
      rate += Math.cos(i) / i / steps;
    }
    return price * rate;
  }

  public static void main(String[] args) {
    int askers = Integer.getInteger("askers", 4);
    int threads = Integer.getInteger("threads", 2);
    int articles = Integer.getInteger("articles", 200);
    int latency = Integer.getInteger("latency", 2);
    int steps = Integer.getInteger("steps", 60_000);

    ExecutorService network = Executors.newFixedThreadPool(askers);
    ExecutorService compute = Executors.newFixedThreadPool(threads);
    List<CompletableFuture<Double>> all = new ArrayList<>();
    for (int i = 0; i < articles; i++) {
      int article = i;
      CompletableFuture<Double> home = CompletableFuture.supplyAsync(() -> ask(0, article, latency), network);
      CompletableFuture<Double> abroad = CompletableFuture.supplyAsync(() -> ask(1, article, latency), network)
          .thenApplyAsync(p -> convert(p, steps), compute);
      all.add(home.thenCombineAsync(abroad, Math::min, compute).thenApply(p -> Math.rint(p * 100) / 100));
    }
    CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).join();
    double sum = 0;
    for (CompletableFuture<Double> f : all) {
      sum += f.join();
    }
    network.shutdown();
    compute.shutdown();
    System.out.printf("%.2f%n", sum);
  }
}
