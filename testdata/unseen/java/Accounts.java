import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/** Payments wait until an account has enough, on a condition of its lock. */
public class Accounts {
    static class Account {
        final ReentrantLock lock = new ReentrantLock();
        final Condition funds = lock.newCondition();
        long balance;

        void deposit(long n) {
            lock.lock();
            try {
                balance += n;
                funds.signalAll();
            } finally {
                lock.unlock();
            }
        }

        void withdraw(long n) throws InterruptedException {
            lock.lock();
            try {
                while (balance < n) funds.await();
                balance -= n;
            } finally {
                lock.unlock();
            }
        }
    }

    static long audit(long x, int n) {
        for (int i = 0; i < n; i++) x = x * 31 + (x >>> 7) % 13;
        return x;
    }

    public static void main(String[] args) throws Exception {
        int payers = Integer.getInteger("payers", 3), earners = Integer.getInteger("earners", 2);
        int payments = Integer.getInteger("payments", 600), accounts = Integer.getInteger("accounts", 16), steps = Integer.getInteger("steps", 60000);
        Account[] all = new Account[accounts];
        for (int i = 0; i < accounts; i++) all[i] = new Account();
        ExecutorService pool = Executors.newCachedThreadPool();
        List<Future<Long>> done = new ArrayList<>();
        int total = payers * payments;
        for (int p = 0; p < payers; p++) {
            int me = p;
            Callable<Long> pay = () -> {
                long sum = 0;
                for (int i = 0; i < payments; i++) {
                    all[(me * payments + i) % accounts].withdraw(10);
                    sum += audit(i, steps);
                }
                return sum;
            };
            done.add(pool.submit(pay));
        }
        for (int e = 0; e < earners; e++) {
            int me = e;
            Callable<Long> earn = () -> {
                long sum = 0;
                for (int i = me; i < total; i += earners) {
                    sum += audit(i, steps / 2);
                    all[i % accounts].deposit(10);
                }
                return sum;
            };
            done.add(pool.submit(earn));
        }
        long sum = 0;
        for (Future<Long> f : done) sum += f.get();
        pool.shutdown();
        System.out.println(sum);
    }
}
