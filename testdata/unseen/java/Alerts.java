import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Sensors send series of values, analysts look for alerts in them; they ask again every few milliseconds until all is done. */
public final class Alerts {
  private static volatile boolean done;

  private static double[] measure(int seed, int length) {
    double[] values = new double[length];
    double x = 0.1 + (seed % 97) / 100.0;
    for (int i = 0; i < length; i++) {
      x = 3.9 * x * (1 - x);
      values[i] = x;
    }
    return values;
  }

  private static int analyse(double[] values, int window) {
    int alerts = 0;
    for (int i = window; i < values.length; i++) {
      double mean = 0;
      for (int k = i - window; k < i; k++) {
        mean += values[k];
      }
      mean /= window;
      if (Math.abs(values[i] - mean) > 0.5) {
        alerts++;
      }
    }
    return alerts;
  }

  public static void main(String[] args) throws InterruptedException {
    int sensors = Integer.getInteger("sensors", 2);
    int analysts = Integer.getInteger("analysts", 3);
    int series = Integer.getInteger("series", 200);
    int length = Integer.getInteger("length", 10_000);
    int window = Integer.getInteger("window", 200);
    int pause = Integer.getInteger("pause", 4);
    BlockingQueue<double[]> queue = new ArrayBlockingQueue<>(Integer.getInteger("capacity", 20));
    AtomicLong alerts = new AtomicLong();

    Thread[] sending = new Thread[sensors];
    for (int s = 0; s < sensors; s++) {
      int id = s;
      sending[s] = new Thread(() -> {
        try {
          for (int i = 0; i < series; i++) {
            queue.put(measure(id * series + i, length));
            Thread.sleep(pause);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }, "sensor-" + s);
      sending[s].start();
    }
    Thread[] looking = new Thread[analysts];
    for (int a = 0; a < analysts; a++) {
      looking[a] = new Thread(() -> {
        try {
          while (!done || !queue.isEmpty()) {
            double[] values = queue.poll(50, TimeUnit.MILLISECONDS);
            if (values != null) {
              alerts.addAndGet(analyse(values, window));
            }
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      }, "analyst-" + a);
      looking[a].start();
    }
    for (Thread t : sending) {
      t.join();
    }
    done = true;
    for (Thread t : looking) {
      t.join();
    }
    System.out.println(alerts.get() + " alerts");
  }
}
