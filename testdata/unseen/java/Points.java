import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.StampedLock;

/** A map of moving points under a StampedLock: readers are optimistic first. */
public final class Points {
  private final StampedLock lock = new StampedLock();
  private final Map<Integer, double[]> points = new HashMap<>();

  private void move(int id, double dx, double dy) {
    long stamp = lock.writeLock();
    try {
      double[] p = points.computeIfAbsent(id, k -> new double[2]);
      p[0] += dx;
      p[1] += dy;
    } finally {
      lock.unlockWrite(stamp);
    }
  }

  private double distance(int id) {
    long stamp = lock.tryOptimisticRead();
    double[] p = points.get(id);
    double x = p == null ? 0 : p[0];
    double y = p == null ? 0 : p[1];
    if (!lock.validate(stamp)) {
      stamp = lock.readLock();
      try {
        p = points.get(id);
        x = p == null ? 0 : p[0];
        y = p == null ? 0 : p[1];
      } finally {
        lock.unlockRead(stamp);
      }
    }
    return Math.hypot(x, y);
  }

  /** The centre of all points, which have to stand still for it. */
  private double centre() {
    long stamp = lock.readLock();
    try {
      double x = 0;
      for (double[] p : points.values()) {
        x += p[0];
      }
      return x / Math.max(1, points.size());
    } finally {
      lock.unlockRead(stamp);
    }
  }

  private static double think(double x, int steps) {
    for (int i = 0; i < steps; i++) {
      x = Math.sin(x) + i % 2;
    }
    return x;
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 4);
    int rounds = Integer.getInteger("rounds", 500);
    int count = Integer.getInteger("points", 5000);
    int steps = Integer.getInteger("steps", 15_000);
    Points map = new Points();
    for (int i = 0; i < count; i++) {
      map.move(i, i % 100, i / 100);
    }
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int t = 0; t < threads; t++) {
      int seed = t;
      pool.execute(() -> {
        Random random = new Random(seed);
        double sum = 0;
        for (int r = 0; r < rounds; r++) {
          sum += think(map.distance(random.nextInt(count)), steps);
          if (r % 4 == 0) {
            map.move(random.nextInt(count), random.nextDouble(), sum % 1);
          }
          if (r % 10 == 0) {
            sum += map.centre();
          }
        }
      });
    }
    pool.shutdown();
    if (!pool.awaitTermination(1, TimeUnit.MINUTES)) {
      System.err.println("not done");
    }
    System.out.println(map.points.size() + " points");
  }
}
