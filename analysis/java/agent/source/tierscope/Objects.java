package tierscope;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Tells what the constructors of locks and queues were given. */
final class Objects {
  private Objects() {}

  static void describe(Object o, long time) {
    if (o instanceof Semaphore) {
      made(o, time, "semaphore", ((Semaphore) o).availablePermits(), null, null);
    } else if (o instanceof CountDownLatch) {
      made(o, time, "latch", ((CountDownLatch) o).getCount(), null, null);
    } else if (o instanceof CyclicBarrier) {
      made(o, time, "barrier", ((CyclicBarrier) o).getParties(), null, null);
    } else if (o instanceof Phaser) {
      made(o, time, "phaser", ((Phaser) o).getRegisteredParties(), null, null);
    } else if (o instanceof BlockingQueue) {
      made(o, time, "queue", capacity((BlockingQueue<?>) o), null, null);
    } else if (o instanceof ReentrantReadWriteLock) {
      ReentrantReadWriteLock l = (ReentrantReadWriteLock) o;
      made(o, time, "rwlock", -1, l.readLock(), l.writeLock());
    } else if (o instanceof ThreadPoolExecutor) {
      ThreadPoolExecutor e = (ThreadPoolExecutor) o;
      made(o, time, "executor", capacity(e.getQueue()), e.getQueue(), null);
    } else {
      made(o, time, "object", -1, null, null);
    }
  }

  /** How many items a queue can hold; -1: without limit. */
  private static long capacity(BlockingQueue<?> q) {
    long capacity = (long) q.remainingCapacity() + q.size();
    return capacity >= Integer.MAX_VALUE ? -1 : capacity;
  }

  private static void made(Object o, long time, String kind, long capacity, Object part, Object other) {
    Log.line("made", time, System.identityHashCode(o), kind, capacity, part == null ? 0 : System.identityHashCode(part),
        other == null ? 0 : System.identityHashCode(other), o.getClass().getName(), Log.stack());
  }
}
