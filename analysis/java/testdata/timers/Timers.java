import java.util.*;
import java.util.concurrent.CountDownLatch;

/** A timer's tasks: three after 20 ms, one at a date, one at once, one that is cancelled, and one that is repeated. */
public class Timers {
    static final CountDownLatch done = new CountDownLatch(8);

    static TimerTask task() {
        return new TimerTask() {
            public void run() { done.countDown(); }
        };
    }

    public static void main(String[] args) throws Exception {
        Timer timer = new Timer();
        for (int i = 0; i < 3; i++) timer.schedule(task(), 20);
        timer.schedule(task(), new Date(System.currentTimeMillis() + 30));
        timer.schedule(task(), 0);
        TimerTask never = task();
        timer.schedule(never, 40);
        never.cancel();
        CountDownLatch ticks = new CountDownLatch(3);
        timer.scheduleAtFixedRate(new TimerTask() {
            public void run() {
                ticks.countDown();
                done.countDown();
                if (ticks.getCount() == 0) cancel();
            }
        }, 5, 5);
        done.await();
        ticks.await();
        timer.cancel();
    }
}
