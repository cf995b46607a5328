import java.util.concurrent.*;

/** Grain is cleaned, ground (by several) and packed, with a queue between; a last sack ends each stage. */
public class Mill {
    record Sack(int id, double grain) {}
    static final Sack END = new Sack(-1, 0);
    static double work(double x, int n) { for (int i = 1; i <= n; i++) x = x * 0.999999 + Math.sqrt(i); return x; }
    public static void main(String[] args) throws Exception {
        int mills = Integer.getInteger("mills", 3), sacks = Integer.getInteger("sacks", 1500), effort = Integer.getInteger("effort", 60000), room = Integer.getInteger("room", 10);
        BlockingQueue<Sack> raw = new ArrayBlockingQueue<>(room), clean = new ArrayBlockingQueue<>(room);
        BlockingQueue<Double> flour = new LinkedBlockingQueue<>();
        Thread cleaner = new Thread(() -> { try {
            for (Sack s = raw.take(); s != END; s = raw.take()) clean.put(new Sack(s.id, work(s.grain, effort / 3)));
            for (int i = 0; i < mills; i++) clean.put(END);
        } catch (InterruptedException e) { } }, "cleaner");
        cleaner.start();
        ExecutorService pool = Executors.newFixedThreadPool(mills);
        for (int m = 0; m < mills; m++) pool.submit(() -> { try {
            for (Sack s = clean.take(); s != END; s = clean.take()) { if (s.id % 8 == 0) Thread.sleep(2); flour.add(work(s.grain, effort)); }
            flour.add(Double.NaN);
        } catch (InterruptedException e) { } });
        Thread feeder = new Thread(() -> { try { for (int i = 0; i < sacks; i++) raw.put(new Sack(i, i)); raw.put(END); } catch (InterruptedException e) { } }, "feeder");
        feeder.start();
        double sum = 0;
        for (int done = 0; done < mills; ) { double x = flour.take(); if (Double.isNaN(x)) done++; else sum += work(x, effort / 6); }
        pool.shutdown();
        System.out.printf("%.3f%n", sum);
    }
}
