import java.util.ArrayDeque;
import java.util.Deque;

/** Waiters hang orders on a rail with room for a few; cooks take them off: monitors with wait and notifyAll. */
public final class Kitchen {
  private final Deque<Integer> rail = new ArrayDeque<>();
  private final int room;
  private boolean closed;

  private Kitchen(int room) {
    this.room = room;
  }

  private synchronized void order(int dish) throws InterruptedException {
    while (rail.size() == room) {
      wait();
    }
    rail.addLast(dish);
    notifyAll();
  }

  private synchronized int next() throws InterruptedException {
    while (rail.isEmpty() && !closed) {
      wait();
    }
    if (rail.isEmpty()) {
      return -1;
    }
    int dish = rail.removeFirst();
    notifyAll();
    return dish;
  }

  private synchronized void close() {
    closed = true;
    notifyAll();
  }

  private static double cook(int dish, int steps) {
    double y = dish + 1;
    for (int i = 0; i < steps * (1 + dish % 4); i++) {
      y = Math.log1p(y) + i % 3;
    }
    return y;
  }

  public static void main(String[] args) throws InterruptedException {
    int waiters = Integer.getInteger("waiters", 2);
    int cooks = Integer.getInteger("cooks", 3);
    int orders = Integer.getInteger("orders", 300);
    int steps = Integer.getInteger("steps", 40_000);
    Kitchen kitchen = new Kitchen(Integer.getInteger("room", 4));

    Thread[] taking = new Thread[waiters];
    for (int w = 0; w < waiters; w++) {
      int id = w;
      taking[w] = new Thread(() -> {
        try {
          for (int i = 0; i < orders; i++) {
            cook(i, steps / 10); // finding out what it is takes time too
            kitchen.order(id * orders + i);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      taking[w].start();
    }
    double[] cooked = new double[cooks];
    Thread[] cooking = new Thread[cooks];
    for (int c = 0; c < cooks; c++) {
      int id = c;
      cooking[c] = new Thread(() -> {
        try {
          for (int dish = kitchen.next(); dish >= 0; dish = kitchen.next()) {
            cooked[id] += cook(dish, steps);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      cooking[c].start();
    }
    for (Thread t : taking) {
      t.join();
    }
    kitchen.close();
    for (Thread t : cooking) {
      t.join();
    }
    System.out.println(waiters * orders + " orders");
  }
}
