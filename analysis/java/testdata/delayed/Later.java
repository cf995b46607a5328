import java.util.*;
import java.util.concurrent.*;

/** Twelve results, each found by a pool that gets what to do a while after it was asked. */
public class Later {
    static long work(int i) {
        long h = i;
        for (int k = 0; k < 300_000; k++) h = h * 6364136223846793005L + k;
        return h;
    }

    public static void main(String[] args) {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        Executor later = CompletableFuture.delayedExecutor(5, TimeUnit.MILLISECONDS, pool);
        List<CompletableFuture<Long>> all = new ArrayList<>();
        for (int i = 0; i < 12; i++) {
            int n = i;
            all.add(CompletableFuture.supplyAsync(() -> work(n), later));
        }
        long sum = 0;
        for (var f : all) sum += f.join();
        pool.shutdown();
        System.out.println(sum);
    }
}
