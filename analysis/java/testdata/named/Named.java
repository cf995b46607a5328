import java.util.concurrent.*;
import java.util.concurrent.locks.*;

/** What locks and queues are called: after NAME stands what the operation of the line works on. */
public class Named {
    final ReadWriteLock table = new ReentrantReadWriteLock();

    void read() {
        table.readLock().lock(); // NAME Named.table
        table.readLock().unlock(); // NAME Named.table
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Integer> orders = new ArrayBlockingQueue<>(4);
        CountDownLatch ready = new CountDownLatch(1); // NAME ready
        Object door = new Object();
        Thread t = new Thread(() -> {
            try {
                ready.countDown(); // NAME ready
                orders.take(); // NAME orders
                synchronized (door) { // NAME door
                    new Named().read();
                }
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        });
        t.start();
        ready.await(); // NAME ready
        orders.put(1); // NAME orders
        t.join();
        ReadWriteLock lock = new StampedLock().asReadWriteLock();
        lock.writeLock().lock(); // NAME lock
        lock.writeLock().unlock(); // NAME lock
    }
}
