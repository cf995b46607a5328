import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Customers order one thing after the other: the price and the stock are found side by side, then the order is priced and confirmed. */
public final class Shop {
  private final ExecutorService workers;
  private final int effort;

  Shop(int threads, int effort) {
    workers = Executors.newFixedThreadPool(threads);
    this.effort = effort;
  }

  private double look(double x, int n) {
    for (int i = 1; i < n; i++) x += Math.sqrt(x + i) / i;
    return x;
  }

  double order(int id) {
    CompletableFuture<Double> price = CompletableFuture.supplyAsync(() -> look(id, effort), workers);
    CompletableFuture<Double> stock = CompletableFuture.supplyAsync(() -> look(id + 1, effort / 2), workers);
    return price.thenCombineAsync(stock, (p, s) -> look(p + s, effort / 4), workers)
        .thenApplyAsync(x -> look(x, effort / 8), workers)
        .join();
  }

  public static void main(String[] args) throws Exception {
    int customers = Integer.getInteger("customers", 4);
    int orders = Integer.getInteger("orders", 150);
    Shop shop = new Shop(Integer.getInteger("workers", 2), Integer.getInteger("effort", 40_000));
    Thread[] threads = new Thread[customers];
    double[] sums = new double[customers];
    for (int c = 0; c < customers; c++) {
      int me = c;
      threads[c] = new Thread(() -> {
        for (int i = 0; i < orders; i++) sums[me] += shop.order(me * orders + i);
      });
      threads[c].start();
    }
    for (Thread t : threads) t.join();
    shop.workers.shutdown();
    double sum = 0;
    for (double s : sums) sum += s;
    System.out.printf("%.3f%n", sum);
  }
}
