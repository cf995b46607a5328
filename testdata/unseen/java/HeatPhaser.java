import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.DoubleAccumulator;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;

/**
 * Heat diffusion on a plate with uneven material. Workers claim strips of rows,
 * a Phaser separates the sweeps, and every few sweeps a snapshot is exchanged
 * with a writer thread, which compresses and uploads it.
 *
 * Usage: HeatPhaser [threads [stripRows [snapshotEvery [sweeps [size [uploadMillis]]]]]]
 */
public class HeatPhaser {

    static final class Snapshot {
        final double[] data;
        int sweep;
        boolean last;

        Snapshot(int n) {
            data = new double[n];
        }
    }

    private final int size, strip, every, sweeps, upload;
    private double[] cur, next;
    private final double[] conduct;
    private final AtomicInteger claim = new AtomicInteger();
    private final DoubleAccumulator residual = new DoubleAccumulator(Math::max, 0);
    private final Exchanger<Snapshot> exchanger = new Exchanger<>();
    private final Phaser phaser;
    private Snapshot mine;
    private volatile int sweep;
    private volatile double lastResidual;

    private long written;
    private final CRC32 crc = new CRC32();

    HeatPhaser(int threads, int strip, int every, int sweeps, int size, int upload) {
        this.size = size;
        this.strip = strip;
        this.every = every;
        this.sweeps = sweeps;
        this.upload = upload;
        cur = new double[size * size];
        next = new double[size * size];
        conduct = new double[size * size];
        mine = new Snapshot(size * size);
        for (int i = 0; i < size; i++) {
            for (int j = 0; j < size; j++) {
                conduct[i * size + j] = 0.4 + 0.5 * Math.abs(Math.sin(i * 0.05) * Math.cos(j * 0.03));
            }
            cur[i] = next[i] = 100;
            cur[i * size] = next[i * size] = 50;
        }
        phaser = new Phaser(threads) {
            @Override
            protected boolean onAdvance(int phase, int registered) {
                return endOfSweep() || registered == 0;
            }
        };
    }

    /** Run by the last thread to arrive; true when all is done. */
    private boolean endOfSweep() {
        double[] t = cur;
        cur = next;
        next = t;
        lastResidual = residual.getThenReset();
        claim.set(0);
        sweep++;
        boolean end = sweep == sweeps;
        if (end || sweep % every == 0) {
            System.arraycopy(cur, 0, mine.data, 0, cur.length);
            mine.sweep = sweep;
            mine.last = end;
            try {
                mine = exchanger.exchange(mine); // waits for the writer if it is behind
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        return end;
    }

    private void work() {
        int inner = size - 2;
        int strips = (inner + strip - 1) / strip;
        while (!phaser.isTerminated()) {
            for (int s = claim.getAndIncrement(); s < strips; s = claim.getAndIncrement()) {
                int from = 1 + s * strip, to = Math.min(from + strip, size - 1);
                residual.accumulate(relax(from, to));
            }
            phaser.arriveAndAwaitAdvance();
        }
    }

    private double relax(int from, int to) {
        double[] a = cur, b = next;
        double worst = 0;
        for (int i = from; i < to; i++) {
            for (int j = 1; j < size - 1; j++) {
                int p = i * size + j;
                double avg = 0.2 * (a[p - 1] + a[p + 1] + a[p - size] + a[p + size])
                        + 0.05 * (a[p - size - 1] + a[p - size + 1] + a[p + size - 1] + a[p + size + 1]);
                // radiation makes hot cells a little dearer
                double v = a[p] + conduct[p] * (avg - a[p]) - 1e-7 * Math.sqrt(Math.abs(a[p]) + 1);
                worst = Math.max(worst, Math.abs(v - a[p]));
                b[p] = v;
            }
        }
        return worst;
    }

    private void write() {
        Snapshot s = new Snapshot(size * size);
        try {
            do {
                s = exchanger.exchange(s);
                ByteArrayOutputStream bos = new ByteArrayOutputStream(1 << 16);
                try (DeflaterOutputStream out = new DeflaterOutputStream(bos, new Deflater(3))) {
                    ByteBuffer row = ByteBuffer.allocate(size * 2);
                    for (int i = 0; i < size; i++) {
                        row.clear();
                        int prev = 0;
                        for (int j = 0; j < size; j++) {
                            int v = (int) (s.data[i * size + j] * 200);
                            row.putShort((short) (v - prev));
                            prev = v;
                        }
                        out.write(row.array());
                    }
                }
                byte[] bytes = bos.toByteArray();
                crc.update(bytes);
                written += bytes.length;
                Thread.sleep(upload);
            } while (!s.last);
        } catch (Exception e) {
            e.printStackTrace();
            System.exit(1);
        }
    }

    public static void main(String[] args) throws Exception {
        int[] v = {2, 16, 20, 1000, 800, 20};
        for (int i = 0; i < args.length; i++) v[i] = Integer.parseInt(args[i]);
        HeatPhaser h = new HeatPhaser(v[0], v[1], v[2], v[3], v[4], v[5]);
        long start = System.nanoTime();
        Thread writer = new Thread(h::write, "writer");
        writer.start();
        Thread[] team = new Thread[v[0]];
        for (int i = 0; i < team.length; i++) {
            team[i] = new Thread(h::work, "worker-" + i);
            team[i].start();
        }
        for (Thread t : team) t.join();
        writer.join();
        double secs = (System.nanoTime() - start) / 1e9;
        System.out.printf("total %.3f s  throughput %.2f sweeps/s  (residual %.4e, snapshots %d bytes, crc %08x)%n",
                secs, v[3] / secs, h.lastResidual, h.written, h.crc.getValue());
    }
}
