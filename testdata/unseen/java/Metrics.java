import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Threads measure what they do; a scheduled task writes the measurements that have gathered. */
public final class Metrics {
  private final BlockingQueue<long[]> queue = new LinkedBlockingQueue<>();
  private final AtomicLong written = new AtomicLong();
  private final StringBuilder out = new StringBuilder();

  private void flush() {
    List<long[]> batch = new ArrayList<>();
    queue.drainTo(batch);
    if (batch.isEmpty()) {
      return;
    }
    out.setLength(0);
    for (long[] m : batch) {
      out.append("task ").append(m[0]).append(" took ").append(m[1]).append(" ns, result ").append(m[2]).append('\n');
    }
    written.addAndGet(batch.size());
  }

  private static long work(long x, int steps) {
    for (int i = 0; i < steps; i++) {
      x ^= x << 13;
      x ^= x >>> 7;
      x ^= x << 17;
    }
    return x;
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 3);
    int tasks = Integer.getInteger("tasks", 600);
    int steps = Integer.getInteger("steps", 300_000);
    int period = Integer.getInteger("period", 10);

    Metrics metrics = new Metrics();
    ScheduledExecutorService clock = Executors.newSingleThreadScheduledExecutor();
    clock.scheduleAtFixedRate(metrics::flush, period, period, TimeUnit.MILLISECONDS);
    List<Thread> workers = new ArrayList<>();
    for (int w = 0; w < threads; w++) {
      int id = w;
      Thread t = new Thread(() -> {
        for (int i = id; i < tasks; i += threads) {
          long begin = System.nanoTime();
          long result = work(i + 1, steps);
          metrics.queue.add(new long[] {i, System.nanoTime() - begin, result});
        }
      });
      t.start();
      workers.add(t);
    }
    for (Thread t : workers) {
      t.join();
    }
    clock.shutdown();
    if (!clock.awaitTermination(1, TimeUnit.SECONDS)) {
      System.err.println("the clock goes on");
    }
    metrics.flush();
    System.out.println(metrics.written + " written");
  }
}
