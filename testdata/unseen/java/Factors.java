import java.util.concurrent.*;

/** Factors numbers; results are collected as they come: an ExecutorCompletionService. */
public class Factors {
    static int factors(long n) {
        int c = 0;
        for (long d = 2; d * d <= n; d++) while (n % d == 0) { n /= d; c++; }
        return n > 1 ? c + 1 : c;
    }

    public static void main(String[] args) throws Exception {
        int workers = Integer.getInteger("workers", 3), numbers = Integer.getInteger("numbers", 60);
        ExecutorService pool = Executors.newFixedThreadPool(workers);
        CompletionService<Integer> done = new ExecutorCompletionService<>(pool);
        for (int i = 0; i < numbers; i++) {
            long n = 1_000_000_007L * 1_000_003L + 2 * i;
            done.submit(() -> factors(n));
        }
        int sum = 0;
        for (int i = 0; i < numbers; i++) sum += done.take().get();
        pool.shutdown();
        System.out.println(sum);
    }
}
