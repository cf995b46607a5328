import java.util.*;
import java.util.concurrent.*;
import java.util.zip.*;

/** Sensors measure, a writer compresses what they say, in batches that are full or old enough. */
public class Flush {
    record Reading(int sensor, int n, byte[] text) {}

    static final int SENSORS = Integer.getInteger("sensors", 6), READINGS = Integer.getInteger("readings", 250), BATCH = Integer.getInteger("batch", 16);
    static final long AGE = Integer.getInteger("age", 4), PAUSE = Integer.getInteger("pause", 2);

    static long write(List<Reading> batch) throws InterruptedException {
        Deflater d = new Deflater(6);
        byte[] out = new byte[8192];
        long n = 0;
        for (Reading r : batch) {
            d.reset();
            d.setInput(r.text());
            d.finish();
            while (!d.finished()) n += d.deflate(out);
        }
        d.end();
        Thread.sleep(2); // the disk
        return n;
    }

    public static void main(String[] args) throws Exception {
        BlockingQueue<Reading> queue = new ArrayBlockingQueue<>(64);
        long[] written = new long[2];
        Thread writer = new Thread(() -> {
            try {
                List<Reading> batch = new ArrayList<>();
                long deadline = 0;
                while (true) {
                    Reading r;
                    if (batch.isEmpty()) {
                        r = queue.take();
                        deadline = System.nanoTime() + AGE * 1_000_000;
                    } else {
                        r = queue.poll(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
                    }
                    if (r != null && r.sensor() < 0) break;
                    if (r != null) batch.add(r);
                    if (r == null || batch.size() >= BATCH) {
                        written[0] += write(batch);
                        written[1]++;
                        batch.clear();
                    }
                }
                if (!batch.isEmpty()) written[0] += write(batch);
            } catch (InterruptedException e) {
                throw new RuntimeException(e);
            }
        }, "writer");
        writer.start();
        Thread[] sensors = new Thread[SENSORS];
        for (int s = 0; s < SENSORS; s++) {
            int id = s;
            sensors[s] = new Thread(() -> {
                try {
                    Random random = new Random(id);
                    for (int n = 0; n < READINGS; n++) {
                        Thread.sleep(PAUSE / 2 + random.nextInt((int) PAUSE));
                        StringBuilder b = new StringBuilder();
                        while (b.length() < 6000) b.append(id).append(':').append(n).append(':').append(random.nextInt(1000)).append(';');
                        queue.put(new Reading(id, n, b.toString().getBytes()));
                    }
                } catch (InterruptedException e) {
                    throw new RuntimeException(e);
                }
            }, "sensor-" + s);
            sensors[s].start();
        }
        for (Thread s : sensors) s.join();
        queue.put(new Reading(-1, 0, null));
        writer.join();
        System.out.println(written[0] + " bytes");
    }
}
