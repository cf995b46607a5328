import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** A cache of prices under a read-write lock: most clients read, prices that are too old are computed anew. */
public final class Prices {
  private final ReadWriteLock lock = new ReentrantReadWriteLock();
  private final Map<Integer, double[]> prices = new HashMap<>();
  private final int paths;
  private final int life;
  private int computed;

  private Prices(int paths, int life) {
    this.paths = paths;
    this.life = life;
  }

  private double compute(int product, Random random) {
    double sum = 0;
    for (int i = 0; i < paths; i++) {
      double price = 100 + product;
      for (int t = 0; t < 20; t++) {
        price *= Math.exp(0.001 + 0.02 * (random.nextDouble() - 0.5));
      }
      sum += Math.max(0, price - 100);
    }
    return sum / paths;
  }

  private double get(int product, int now, Random random) {
    lock.readLock().lock();
    try {
      double[] p = prices.get(product);
      if (p != null && now - p[1] < life) {
        return p[0];
      }
    } finally {
      lock.readLock().unlock();
    }
    double price = compute(product, random);
    lock.writeLock().lock();
    try {
      prices.put(product, new double[] {price, now});
      computed++;
    } finally {
      lock.writeLock().unlock();
    }
    return price;
  }

  private double report(double price, int work) {
    double y = price;
    for (int i = 0; i < work; i++) {
      y = Math.sqrt(y * y + i % 3);
    }
    return y;
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 4);
    int requests = Integer.getInteger("requests", 800);
    int products = Integer.getInteger("products", 50);
    int work = Integer.getInteger("work", 20000);
    Prices prices = new Prices(Integer.getInteger("paths", 2000), Integer.getInteger("life", 200));

    CountDownLatch start = new CountDownLatch(1);
    Thread[] clients = new Thread[threads];
    for (int c = 0; c < threads; c++) {
      int seed = c;
      clients[c] = new Thread(() -> {
        Random random = new Random(seed);
        try {
          start.await();
        } catch (InterruptedException e) {
          return;
        }
        for (int i = 0; i < requests; i++) {
          prices.report(prices.get(random.nextInt(products), i, random), work);
        }
      }, "client-" + c);
      clients[c].start();
    }
    start.countDown();
    for (Thread c : clients) {
      c.join();
    }
    System.out.println(prices.computed + " prices computed");
  }
}
