import java.util.concurrent.CompletableFuture;

/** Futures are completed in the ways that CompletableFuture has: six in each round, by the thread that made them. */
public class Futures {
  public static void main(String[] args) throws Exception {
    int sum = 0;
    for (int i = 0; i < 20; i++) {
      CompletableFuture<Integer> value = new CompletableFuture<>();
      CompletableFuture<Integer> seen = value.whenComplete((v, e) -> {});
      CompletableFuture<Integer> next = seen.thenApply(v -> v + 1);
      value.complete(i);
      CompletableFuture<Integer> broken = new CompletableFuture<>();
      CompletableFuture<Integer> mended = broken.exceptionally(e -> 0);
      CompletableFuture<Integer> handled = broken.handle((v, e) -> 1);
      broken.completeExceptionally(new IllegalStateException("no"));
      sum += next.get() + mended.get() + handled.get();
    }
    System.out.println(sum);
  }
}
