import java.util.SplittableRandom;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/**
 * Prices an arithmetic Asian call option by simulation, after the Java Grande benchmark of the same name (Tarvo &amp;
 * Reiss 2014, §5.2). An executor with a fixed number of threads computes the paths in batches; a monitor guards the sum.
 *
 * <p>java -Dthreads=2 -Dbatches=… -Dpaths=… Montecarlo
 *
 * <p>WANT: 1 pool of THREADS threads that takes BATCHES tasks from 1 queue; 1 mutex for the sum.
 */
public final class Montecarlo {
  private static final int STEPS = 250;

  private double sum;

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 2);
    int batches = Integer.getInteger("batches", 400);
    int paths = Integer.getInteger("paths", 400);
    Montecarlo m = new Montecarlo();
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    for (int i = 0; i < batches; i++) {
      int seed = i;
      pool.execute(() -> m.add(price(seed, paths)));
    }
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.HOURS);
    System.out.printf("price %.6f%n", m.sum / batches);
  }

  private synchronized void add(double price) {
    sum += price;
  }

  /** The discounted mean payoff over the given number of paths. */
  private static double price(int seed, int paths) {
    double rate = 0.03;
    double volatility = 0.25;
    double dt = 1.0 / STEPS;
    double drift = (rate - volatility * volatility / 2) * dt;
    double diffusion = volatility * Math.sqrt(dt);
    SplittableRandom random = new SplittableRandom(seed);
    double total = 0;
    for (int p = 0; p < paths; p++) {
      double s = 100;
      double mean = 0;
      for (int i = 0; i < STEPS; i++) {
        double uniform = 0; // the sum of 12 uniform numbers is nearly normal
        for (int k = 0; k < 12; k++) {
          uniform += random.nextDouble();
        }
        s *= Math.exp(drift + diffusion * (uniform - 6));
        mean += s / STEPS;
      }
      total += Math.max(mean - 105, 0);
    }
    return Math.exp(-rate) * total / paths;
  }
}
