import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Futures are completed in every way that CompletableFuture has. */
public class Futures {
  public static void main(String[] args) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2), other = Executors.newFixedThreadPool(1);
    List<CompletableFuture<?>> all = new ArrayList<>();
    for (int i = 0; i < 20; i++) {
      final int n = i;
      CompletableFuture<Integer> a = CompletableFuture.supplyAsync(() -> work(n), pool);
      CompletableFuture<Integer> b = CompletableFuture.supplyAsync(() -> work(n + 1), pool);
      all.add(a.thenCombine(b, Integer::sum).thenApplyAsync(v -> v * 2, other).whenComplete((v, e) -> work(n)));
      all.add(a.thenCompose(v -> CompletableFuture.supplyAsync(() -> work(v), other)));
      all.add(b.handle((v, e) -> v).thenAccept(Futures::work).thenRun(() -> work(n)));
      all.add(CompletableFuture.anyOf(a, b));
      all.add(CompletableFuture.runAsync(() -> {
        throw new IllegalStateException("no");
      }, pool).exceptionally(e -> null).whenCompleteAsync((v, e) -> work(n), pool));
    }
    CompletableFuture.allOf(all.toArray(new CompletableFuture<?>[0])).get();
    pool.shutdown();
    other.shutdown();
  }

  static int work(int v) {
    for (int i = 0; i < 2000; i++) {
      v = v * 31 + 7;
    }
    return v;
  }
}
