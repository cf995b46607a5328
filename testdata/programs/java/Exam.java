import java.util.concurrent.ArrayBlockingQueue;

/**
 * What every front end is examined with (package analysis/targettest): WORKERS threads take TASKS numbers from a queue
 * of capacity 4, compute, and add to a sum under a lock. A number for each thread says that there are no more.
 */
public final class Exam {
  private static final Integer END = -1;

  private double sum;

  private synchronized void add(double y) {
    sum += y;
  }

  private void work(ArrayBlockingQueue<Integer> queue) {
    try {
      for (Integer x = queue.take(); x != END; x = queue.take()) {
        add(compute(x));
      }
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double compute(int x) {
    double y = x;
    for (int i = 0; i < 100_000; i++) {
      y = Math.sqrt(y * y + i % 7) * 0.999 + 0.1;
    }
    return y;
  }

  public static void main(String[] args) throws InterruptedException {
    if (args.length != 2) {
      System.err.println("usage: Exam TASKS WORKERS");
      System.exit(3);
    }
    int tasks = Integer.parseInt(args[0]);
    Thread[] workers = new Thread[Integer.parseInt(args[1])];
    ArrayBlockingQueue<Integer> queue = new ArrayBlockingQueue<>(4);
    Exam exam = new Exam();
    for (int i = 0; i < workers.length; i++) {
      workers[i] = new Thread(() -> exam.work(queue));
      workers[i].start();
    }
    for (int i = 0; i < tasks; i++) {
      queue.put(i);
    }
    for (Thread w : workers) {
      queue.put(END);
    }
    for (Thread w : workers) {
      w.join();
    }
    System.out.println(exam.sum);
  }
}
