import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts primes by ranges on a pool of threads, and looks now and then whether the pool has ended. */
public final class Primes {
  private static final AtomicInteger FOUND = new AtomicInteger();

  private static boolean isPrime(int n) {
    if (n < 2) {
      return false;
    }
    for (int d = 2; (long) d * d <= n; d++) {
      if (n % d == 0) {
        return false;
      }
    }
    return true;
  }

  private static final class Range implements Runnable {
    private final int from;
    private final int past;

    Range(int from, int past) {
      this.from = from;
      this.past = past;
    }

    @Override
    public void run() {
      int primes = 0;
      for (int n = from; n < past; n++) {
        if (isPrime(n)) {
          primes++;
        }
      }
      FOUND.addAndGet(primes);
    }
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 3);
    int limit = Integer.getInteger("limit", 6_000_000);
    int range = Integer.getInteger("range", 30_000);
    int every = Integer.getInteger("every", 20);
    long began = System.currentTimeMillis();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int from = 0; from < limit; from += range) {
      pool.execute(new Range(from, Math.min(from + range, limit)));
    }
    pool.shutdown();
    while (!pool.isTerminated()) {
      Thread.sleep(every);
    }
    System.out.printf("%d primes below %d in %d ms%n", FOUND.get(), limit, System.currentTimeMillis() - began);
  }
}
