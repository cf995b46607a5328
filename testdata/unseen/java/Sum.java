import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveTask;

/** Adds up an array by halves. */
public final class Sum extends RecursiveTask<Double> {
  private static final long serialVersionUID = 1;

  private final transient double[] values;
  private final int from;
  private final int to;
  private final int leaf;

  private Sum(double[] values, int from, int to, int leaf) {
    this.values = values;
    this.from = from;
    this.to = to;
    this.leaf = leaf;
  }

  @Override
  protected Double compute() {
    if (to - from <= leaf) {
      double sum = 0;
      for (int i = from; i < to; i++) {
        sum += Math.sin(values[i]) * Math.exp(-values[i]);
      }
      return sum;
    }
    int middle = (from + to) >>> 1;
    Sum left = new Sum(values, from, middle, leaf);
    Sum right = new Sum(values, middle, to, leaf);
    left.fork();
    return right.compute() + left.join();
  }

  public static void main(String[] args) {
    int threads = Integer.getInteger("threads", 2);
    int size = Integer.getInteger("size", 1_000_000);
    int leaf = Integer.getInteger("leaf", 20_000);
    int rounds = Integer.getInteger("rounds", 12);
    double[] values = new double[size];
    for (int i = 0; i < size; i++) {
      values[i] = i % 1000 / 1000.0;
    }
    ForkJoinPool pool = new ForkJoinPool(threads);
    double sum = 0;
    for (int r = 0; r < rounds; r++) {
      sum += pool.invoke(new Sum(values, 0, size, leaf));
    }
    pool.shutdown();
    System.out.printf("%.6f%n", sum);
  }
}
