import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The Java counterpart of go/planted: five modules, and one dependency of the kind that is asked for (lock, monitor,
 * queue, cache or none), which no call shows. A module's own work is a wait for something outside the program.
 */
public final class Planted {
  private static final ReentrantLock vat = new ReentrantLock();
  private static final ArrayBlockingQueue<Integer> belt = new ArrayBlockingQueue<>(1);
  private static final ConcurrentHashMap<Integer, Boolean> shelf = new ConcurrentHashMap<>();
  private static String kind;

  private interface Module {
    void execute(int number) throws InterruptedException;
  }

  /** Waits for something outside the program, ms on average. */
  private static void outside(double ms) throws InterruptedException {
    long ns = (long) (ms * (0.8 + 0.4 * ThreadLocalRandom.current().nextDouble()) * 1e6);
    Thread.sleep(ns / 1_000_000, (int) (ns % 1_000_000));
  }

  /** Both of the modules that share a monitor have their work done here. */
  private static final class Kiln {
    synchronized void fire() throws InterruptedException {
      outside(1);
    }

    synchronized void glaze() throws InterruptedException {
      outside(1);
    }
  }

  private static final Kiln kiln = new Kiln();

  static void Brew(int number) throws InterruptedException {
    switch (kind) {
      case "lock":
        vat.lock();
        try {
          outside(1);
        } finally {
          vat.unlock();
        }
        break;
      case "monitor":
        kiln.fire();
        break;
      case "queue":
        outside(1);
        belt.put(number);
        break;
      case "cache":
        outside(1);
        shelf.put(number, true);
        break;
      default:
        outside(1);
    }
  }

  static void Bake(int number) throws InterruptedException {
    switch (kind) {
      case "lock":
        vat.lock();
        try {
          outside(1);
        } finally {
          vat.unlock();
        }
        break;
      case "monitor":
        kiln.glaze();
        break;
      case "queue":
        belt.take();
        outside(1.2);
        break;
      case "cache":
        outside(shelf.containsKey(number) ? 1.1 : 3);
        break;
      default:
        outside(1);
    }
  }

  static void Carve(int number) throws InterruptedException {
    outside(1);
  }

  static void Dye(int number) throws InterruptedException {
    outside(1);
  }

  static void Etch(int number) throws InterruptedException {
    outside(1);
  }

  private static Thread each(int times, Module module) {
    Thread t = new Thread(() -> {
      try {
        for (int i = 0; i < times; i++) {
          module.execute(i);
        }
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    });
    t.start();
    return t;
  }

  public static void main(String[] args) throws InterruptedException {
    kind = args[0];
    int times = Integer.parseInt(args[1]);
    Thread[] all = {
      each(times, Planted::Brew), each(times, Planted::Bake), each(times, Planted::Carve), each(times, Planted::Dye), each(times, Planted::Etch)
    };
    for (Thread t : all) {
      t.join();
    }
  }
}
