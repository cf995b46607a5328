import java.util.concurrent.CyclicBarrier;

/** Two threads that each hold the lock for which the other one waits. */
public final class Deadlock {
  public static void main(String[] args) throws Exception {
    Object left = new Object();
    Object right = new Object();
    CyclicBarrier both = new CyclicBarrier(2);
    new Thread(() -> hold(left, both, right), "first").start();
    new Thread(() -> hold(right, both, left), "second").start();
  }

  private static void hold(Object mine, CyclicBarrier both, Object other) {
    synchronized (mine) {
      try {
        both.await();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
      synchronized (other) {
        System.out.println("not reached");
      }
    }
  }
}
