import java.util.concurrent.Phaser;

/** Conway's game of life: each thread has a strip of the board, and a phaser separates the generations. */
public final class Life {
  private final int size;
  private byte[] now;
  private byte[] next;

  private Life(int size) {
    this.size = size;
    now = new byte[size * size];
    next = new byte[size * size];
    for (int i = 0; i < now.length; i++) {
      now[i] = (byte) ((i * 2654435761L >>> 16 & 3) == 0 ? 1 : 0);
    }
  }

  private void strip(int first, int last) {
    for (int y = first; y < last; y++) {
      int above = (y + size - 1) % size * size;
      int below = (y + 1) % size * size;
      int row = y * size;
      for (int x = 0; x < size; x++) {
        int west = (x + size - 1) % size;
        int east = (x + 1) % size;
        int n = now[above + west] + now[above + x] + now[above + east] + now[row + west] + now[row + east]
            + now[below + west] + now[below + x] + now[below + east];
        next[row + x] = (byte) (n == 3 || (n == 2 && now[row + x] == 1) ? 1 : 0);
      }
    }
  }

  private void swap() {
    byte[] t = now;
    now = next;
    next = t;
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 3);
    int size = Integer.getInteger("size", 300);
    int generations = Integer.getInteger("generations", 200);
    Life life = new Life(size);
    Phaser phaser = new Phaser(threads) {
      @Override
      protected boolean onAdvance(int phase, int parties) {
        life.swap();
        return parties == 0;
      }
    };
    Thread[] workers = new Thread[threads];
    for (int t = 0; t < threads; t++) {
      int first = t * size / threads;
      int last = (t + 1) * size / threads;
      workers[t] = new Thread(() -> {
        for (int g = 0; g < generations; g++) {
          life.strip(first, last);
          phaser.arriveAndAwaitAdvance();
        }
        phaser.arriveAndDeregister();
      });
      workers[t].start();
    }
    for (Thread w : workers) {
      w.join();
    }
    int alive = 0;
    for (byte b : life.now) {
      alive += b;
    }
    System.out.println(alive + " alive");
  }
}
