import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/**
 * Every construct that the front end knows, executed a known number of times. A line
 *
 * <p>WANT operation method count
 *
 * <p>says how often the trace must have the operation in that method: begun and, what can end, ended.
 */
public final class Constructs {
  private static int left = 5;
  private int value;

  public static void main(String[] args) throws Exception {
    Constructs c = new Constructs();
    monitors(c);
    locks();
    waiting(c);
    queues();
    counted();
    stamps();
    exchanged();
    executors();
    single();
    completed();
    threads();
    System.exit(0); // while the last thread still sleeps
  }

  // WANT lock Constructs.add 3
  // WANT unlock Constructs.add 3
  private synchronized int add(int n, long big, double wide) {
    switch (n) { // a table of addresses
      case 0:
        return value += (int) big;
      case 1:
        value += (int) wide;
        break;
      default:
        throw new IllegalStateException("left by an exception");
    }
    return value;
  }

  // WANT lock Constructs.countDown 1
  // WANT unlock Constructs.countDown 1
  private static synchronized void countDown() {
    while (left > 0) { // jumps to the first instruction of the method
      left--;
    }
  }

  // WANT lock Constructs.blocks 4
  // WANT unlock Constructs.blocks 4
  private static int blocks(Object monitor, int n) {
    synchronized (monitor) {
      if (n == 0) {
        return 0;
      }
      synchronized (monitor) { // held already: not entered again
        n++;
      }
      switch (n) { // pairs of key and address
        case 3:
          throw new IllegalStateException("left by an exception");
        case 1000:
          n--;
          break;
        default:
      }
    }
    return n;
  }

  private static void monitors(Constructs c) {
    c.add(0, 1L << 40, 1.5);
    c.add(1, 1L << 40, 1.5);
    try {
      c.add(2, 0, 0);
    } catch (IllegalStateException e) {
      c.value++;
    }
    countDown();
    for (int i = 0; i < 4; i++) {
      try {
        blocks(c, i);
      } catch (IllegalStateException e) {
        c.value++;
      }
    }
  }

  // WANT lock Constructs.locks 2
  // WANT unlock Constructs.locks 2
  // WANT try-lock Constructs.locks 1
  // WANT rlock Constructs.locks 1
  // WANT runlock Constructs.locks 1
  private static void locks() {
    ReentrantLock plain = new ReentrantLock();
    plain.lock();
    plain.lock(); // held already
    plain.unlock();
    plain.unlock();
    plain.tryLock();
    plain.unlock();
    ReentrantReadWriteLock shared = new ReentrantReadWriteLock();
    shared.readLock().lock();
    shared.readLock().unlock();
    shared.writeLock().lock();
  }

  private static boolean ready;

  // WANT cond-wait Constructs.waiting 2
  // WANT broadcast Constructs.waiting 1
  // WANT signal Constructs.waiting 1
  private static void waiting(Constructs c) throws InterruptedException {
    synchronized (c) {
      c.wait(1);
      c.notifyAll();
    }
    ReentrantLock lock = new ReentrantLock();
    Condition condition = lock.newCondition();
    lock.lock();
    try {
      condition.awaitNanos(1000);
      condition.signal();
    } finally {
      lock.unlock();
    }
  }

  /** A queue of the program's own, made of the library's. */
  private static final class Twice extends LinkedBlockingQueue<String> {
    // WANT send Constructs$Twice.put 0
    @Override
    public void put(String s) throws InterruptedException {
      super.put(s); // inside the operation of the caller
    }
  }

  // WANT send Constructs.queues 3
  // WANT receive Constructs.queues 2
  // WANT try-receive Constructs.queues 1
  // WANT try-send Constructs.queues 2
  private static void queues() throws InterruptedException {
    ArrayBlockingQueue<String> q = new ArrayBlockingQueue<>(2);
    q.put("a");
    q.add("b");
    q.offer("c");
    q.offer("d", 1L, TimeUnit.MILLISECONDS);
    q.take();
    q.poll();
    q.poll(1L, TimeUnit.MILLISECONDS);
    new Twice().put("e");
  }

  // WANT acquire Constructs.counted 2
  // WANT release Constructs.counted 1
  // WANT add Constructs.counted 1
  // WANT done Constructs.counted 2
  // WANT wait Constructs.counted 1
  // WANT barrier Constructs.counted 1
  private static void counted() throws Exception {
    Semaphore s = new Semaphore(3);
    s.acquire(2);
    s.acquireUninterruptibly();
    s.release(3);
    CountDownLatch l = new CountDownLatch(left + 2);
    l.countDown();
    l.countDown();
    l.await();
    new CyclicBarrier(1).await();
  }

  // WANT rlock Constructs.stamps 2
  // WANT runlock Constructs.stamps 3
  // WANT lock Constructs.stamps 1
  // WANT try-lock Constructs.stamps 1
  // WANT try-rlock Constructs.stamps 1
  // WANT unlock Constructs.stamps 2
  private static void stamps() {
    StampedLock lock = new StampedLock();
    lock.unlockRead(lock.readLock());
    lock.unlock(lock.writeLock());
    lock.validate(lock.tryOptimisticRead()); // waits for nobody
    long stamp = lock.readLock();
    stamp = lock.tryConvertToWriteLock(stamp); // ends the reading
    lock.unlockWrite(stamp);
    lock.unlock(lock.tryReadLock());
  }

  private static final Exchanger<String> PLACE = new Exchanger<>();

  // WANT barrier Constructs.exchanged 1
  private static void exchanged() throws InterruptedException {
    new Thread(Constructs::partner).start();
    PLACE.exchange("a");
  }

  // WANT barrier Constructs.partner 1
  private static void partner() {
    try {
      PLACE.exchange("b");
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  // WANT send java/util/concurrent/ExecutorCompletionService$QueueingFuture.done 2
  // WANT receive java/util/concurrent/ExecutorCompletionService.take 2
  private static void completed() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(1);
    CompletionService<Integer> results = new ExecutorCompletionService<>(pool);
    results.submit(() -> 1);
    results.submit(() -> 2);
    results.take().get();
    results.take().get();
    pool.shutdown();
  }

  // WANT send Constructs.executors 5
  // WANT close Constructs.executors 1
  // WANT wait Constructs.executors 1
  private static void executors() throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(2);
    for (int i = 0; i < 5; i++) {
      pool.execute(() -> left++);
    }
    Future<Integer> f = pool.submit((Callable<Integer>) () -> left);
    f.get();
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
  }

  // WANT send java/util/concurrent/Executors$DelegatedExecutorService.execute 2
  // WANT close java/util/concurrent/Executors$DelegatedExecutorService.shutdown 1
  private static void single() {
    ExecutorService one = Executors.newSingleThreadExecutor();
    one.execute(() -> left++);
    one.execute(() -> left++);
    one.shutdown();
  }

  // WANT join Constructs.threads 2
  // WANT sleep Constructs.threads 1
  private static void threads() throws InterruptedException {
    Thread[] ts = new Thread[2];
    for (int i = 0; i < ts.length; i++) {
      ts[i] = new Thread(() -> left++);
      ts[i].start();
    }
    for (Thread t : ts) {
      t.join();
    }
    Thread last =
        new Thread(
            () -> {
              try {
                Thread.sleep(60_000);
              } catch (InterruptedException e) {
                left++;
              }
            });
    last.start();
    Thread.sleep(5);
  }
}
