import java.util.*;
import java.util.concurrent.*;

/** Prints the invoices of a month: batch after batch through invokeAll. */
public final class Invoices {
  record Line(int product, int amount) {}

  private static double price(List<Line> lines, int rules) {
    double sum = 0;
    for (Line l : lines) {
      double p = 1 + l.product() % 97;
      for (int i = 0; i < rules; i++) {
        p += Math.sin(p * i) * 0.01;
      }
      sum += p * l.amount();
    }
    return sum;
  }

  public static void main(String[] args) throws Exception {
    int clerks = Integer.getInteger("clerks", 3);
    int batches = Integer.getInteger("batches", 12);
    int invoices = Integer.getInteger("invoices", 40);
    int rules = Integer.getInteger("rules", 600);
    Random random = new Random(3);
    ExecutorService office = Executors.newFixedThreadPool(clerks);
    double total = 0;
    for (int b = 0; b < batches; b++) {
      List<Callable<Double>> work = new ArrayList<>();
      for (int i = 0; i < invoices; i++) {
        List<Line> lines = new ArrayList<>();
        for (int k = 0; k < 20 + random.nextInt(40); k++) {
          lines.add(new Line(random.nextInt(1000), 1 + random.nextInt(9)));
        }
        work.add(() -> price(lines, rules));
      }
      for (Future<Double> f : office.invokeAll(work)) {
        total += f.get();
      }
    }
    office.shutdown();
    System.out.printf("%.2f%n", total);
  }
}
