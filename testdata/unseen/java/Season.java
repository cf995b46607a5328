import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.concurrent.locks.*;

/** Teams play seasons together: a phaser ends each; some teams leave early. Scores lie under a stamped lock. */
public final class Season {
    static final StampedLock lock = new StampedLock();
    static long points, games;

    static double play(int team, int round, int steps) {
        double x = team + round * 0.1;
        for (int i = 0; i < steps; i++) x = Math.cos(x) * 1.0001 + i % 5;
        return x;
    }

    static double average() {
        long s = lock.tryOptimisticRead();
        long p = points, g = games;
        if (!lock.validate(s)) {
            s = lock.readLock();
            try {
                p = points;
                g = games;
            } finally {
                lock.unlockRead(s);
            }
        }
        return g == 0 ? 0 : (double) p / g;
    }

    public static void main(String[] args) throws Exception {
        int teams = Integer.parseInt(args[0]), seasons = Integer.parseInt(args[1]), steps = Integer.parseInt(args[2]);
        Phaser phaser = new Phaser(1);
        ExecutorService pool = Executors.newCachedThreadPool();
        AtomicInteger above = new AtomicInteger();
        for (int t = 0; t < teams; t++) {
            final int team = t;
            phaser.register();
            pool.execute(() -> {
                for (int s = 0; s < seasons; s++) {
                    long won = (long) play(team, s, steps);
                    long stamp = lock.writeLock();
                    try {
                        points += won & 3;
                        games++;
                    } finally {
                        lock.unlockWrite(stamp);
                    }
                    phaser.arriveAndAwaitAdvance();
                    if (average() > 1.5) above.incrementAndGet();
                }
                phaser.arriveAndDeregister();
            });
        }
        phaser.arriveAndDeregister();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(points + " " + above.get());
    }
}
