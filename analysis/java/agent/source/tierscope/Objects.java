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

  /** What was made. */
  static final class Made {
    final String type;
    final long identity;
    final String kind;
    final long capacity; // -1: without limit, or none
    final long part; // identity of the queue of an executor, of a read lock; 0: none
    final long other; // of a write lock; 0: none

    Made(Object o, String kind, long capacity, Object part, Object other) {
      this.type = o.getClass().getName();
      this.identity = System.identityHashCode(o);
      this.kind = kind;
      this.capacity = capacity;
      this.part = part == null ? 0 : System.identityHashCode(part);
      this.other = other == null ? 0 : System.identityHashCode(other);
    }
  }

  static Made describe(Object o) {
    if (o instanceof Semaphore) {
      return new Made(o, "semaphore", ((Semaphore) o).availablePermits(), null, null);
    } else if (o instanceof CountDownLatch) {
      return new Made(o, "latch", ((CountDownLatch) o).getCount(), null, null);
    } else if (o instanceof CyclicBarrier) {
      return new Made(o, "barrier", ((CyclicBarrier) o).getParties(), null, null);
    } else if (o instanceof Phaser) {
      return new Made(o, "phaser", ((Phaser) o).getRegisteredParties(), null, null);
    } else if (o instanceof BlockingQueue) {
      return new Made(o, "queue", capacity((BlockingQueue<?>) o), null, null);
    } else if (o instanceof ReentrantReadWriteLock) {
      ReentrantReadWriteLock l = (ReentrantReadWriteLock) o;
      return new Made(o, "rwlock", -1, l.readLock(), l.writeLock());
    } else if (o instanceof ThreadPoolExecutor) {
      ThreadPoolExecutor e = (ThreadPoolExecutor) o;
      return new Made(o, "executor", capacity(e.getQueue()), e.getQueue(), null);
    }
    return new Made(o, "object", -1, null, null);
  }

  /** How many items a queue can hold; -1: without limit. */
  private static long capacity(BlockingQueue<?> q) {
    long capacity = (long) q.remainingCapacity() + q.size();
    return capacity >= Integer.MAX_VALUE ? -1 : capacity;
  }
}
