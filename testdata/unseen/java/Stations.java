import java.util.*;
import java.util.concurrent.*;

/** A line of stations: each has its machines and a buffer in front; a dispatcher counts what is on its way and lets more in. */
public class Stations {
    static final int CUT = Integer.getInteger("cut", 1), DRILL = Integer.getInteger("drill", 2), PAINT = Integer.getInteger("paint", 1);
    static final int PARTS = Integer.getInteger("parts", 2000), WIP = Integer.getInteger("wip", 12);
    record Part(int id, double x) { }

    static double work(int n, double x) {
        for (int i = 0; i < n; i++) x += Math.sqrt(i + x) * 1e-9;
        return x;
    }

    static void station(ExecutorService on, int machines, BlockingQueue<Part> in, BlockingQueue<Part> out, int cost) {
        for (int m = 0; m < machines; m++)
            on.execute(() -> {
                try {
                    for (;;) {
                        Part p = in.take();
                        if (p.id() < 0) { in.put(p); return; }
                        out.put(new Part(p.id(), work(cost + p.id() % 7 * 1000, p.x())));
                    }
                } catch (InterruptedException e) { Thread.currentThread().interrupt(); }
            });
    }

    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newCachedThreadPool();
        BlockingQueue<Part> a = new LinkedBlockingQueue<>(), b = new LinkedBlockingQueue<>(), c = new LinkedBlockingQueue<>(), done = new LinkedBlockingQueue<>();
        station(pool, CUT, a, b, 40000);
        station(pool, DRILL, b, c, 60000);
        station(pool, PAINT, c, done, 30000);
        Semaphore wip = new Semaphore(WIP);
        Thread feeder = new Thread(() -> {
            try {
                for (int i = 0; i < PARTS; i++) { wip.acquire(); a.put(new Part(i, i)); }
            } catch (InterruptedException e) { }
        });
        feeder.start();
        double sum = 0;
        for (int i = 0; i < PARTS; i++) { sum += done.take().x(); wip.release(); }
        for (BlockingQueue<Part> q : List.of(a, b, c)) q.put(new Part(-1, 0));
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(sum);
    }
}
