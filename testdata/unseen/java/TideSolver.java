import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Locale;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * TideSolver: shallow water equations on a rectangular basin, first-order finite volumes with a
 * Rusanov flux, adaptive time step, a Manning friction solve in shallow cells, and checkpoints
 * that a background thread compresses and writes while the solver goes on.
 */
public final class TideSolver {

    static final double G = 9.81;
    static final double DRY = 1e-4;

    static final class Config {
        int nx = 320;               // cells across
        int ny = 320;               // cells down (rows are the unit of work)
        int steps = 80;
        int workers = 2;
        int chunk = 8;              // rows per grab
        int checkpointEvery = 20;   // steps, 0 = never
        int level = 3;              // Deflater level of checkpoints
        int storeMs = 15;           // latency of the checkpoint store per checkpoint
        int friction = 6;           // Newton iterations of the friction solve in shallow cells
        int probes = 4;             // tide gauges sampled after every step

        static Config read() {
            Config c = new Config();
            c.nx = Integer.getInteger("nx", c.nx);
            c.ny = Integer.getInteger("ny", c.ny);
            c.steps = Integer.getInteger("steps", c.steps);
            c.workers = Integer.getInteger("workers", c.workers);
            c.chunk = Integer.getInteger("chunk", c.chunk);
            c.checkpointEvery = Integer.getInteger("checkpoint-every", c.checkpointEvery);
            c.level = Integer.getInteger("level", c.level);
            c.storeMs = Integer.getInteger("store-ms", c.storeMs);
            c.friction = Integer.getInteger("friction", c.friction);
            c.probes = Integer.getInteger("probes", c.probes);
            if (c.nx < 4 || c.ny < 4 || c.steps < 1 || c.workers < 1 || c.chunk < 1 || c.checkpointEvery < 0
                    || c.level < 0 || c.level > 9 || c.storeMs < 0 || c.friction < 0 || c.probes < 0) {
                throw new IllegalArgumentException("setting out of range");
            }
            return c;
        }
    }

    /** One time level; ghost cells all around. */
    static final class Field {
        final double[] h, hu, hv;

        Field(int cells) {
            h = new double[cells];
            hu = new double[cells];
            hv = new double[cells];
        }
    }

    /** What solver and writer hand to each other. */
    static final class Snapshot {
        boolean last;
        final ByteBuffer data;

        Snapshot(int bytes) {
            data = ByteBuffer.allocate(bytes);
        }
    }

    final class CheckpointWriter extends Thread {
        long written, rawBytes, busyNanos, crc;
        int count;

        CheckpointWriter() {
            super("checkpoint-writer");
        }

        @Override
        public void run() {
            try {
                Path file = Files.createTempFile("tidesolver", ".ckp");
                try (FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE)) {
                    Snapshot mine = newSnapshot();
                    while (true) {
                        mine = exchanger.exchange(mine);
                        if (mine.last) {
                            break;
                        }
                        long t0 = System.nanoTime();
                        store(mine, out);
                        busyNanos += System.nanoTime() - t0;
                    }
                } finally {
                    Files.deleteIfExists(file);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } catch (IOException | RuntimeException e) {
                fail(e);
            }
        }

        private void store(Snapshot s, FileChannel out) throws IOException, InterruptedException {
            CRC32 sum = new CRC32();
            sum.update(s.data.array(), 0, s.data.limit());
            crc = crc * 31 + sum.getValue();
            Deflater deflater = new Deflater(cfg.level);
            byte[] block = new byte[64 * 1024];
            try {
                deflater.setInput(s.data.array(), 0, s.data.limit());
                deflater.finish();
                out.position(0);
                while (!deflater.finished()) {
                    int n = deflater.deflate(block);
                    ByteBuffer b = ByteBuffer.wrap(block, 0, n);
                    while (b.hasRemaining()) {
                        written += out.write(b);
                    }
                }
            } finally {
                deflater.end();
            }
            Thread.sleep(cfg.storeMs);
            rawBytes += s.data.limit();
            count++;
        }
    }

    private final Config cfg;
    private final int stride;
    private Field cur, next;
    private final double[] bed;
    private final AtomicInteger speedCursor = new AtomicInteger();
    private final AtomicInteger updateCursor = new AtomicInteger();
    private final LongAccumulator maxSpeed = new LongAccumulator(Math::max, 0);
    private final CyclicBarrier speedBarrier;
    private final CyclicBarrier stepBarrier;
    private final Exchanger<Snapshot> exchanger = new Exchanger<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private Snapshot spare;
    private double dt, time, gaugeSum;
    private int step;
    private long exchangeNanos;
    private final long[] rowsDone;
    private Thread[] team;

    TideSolver(Config cfg) {
        this.cfg = cfg;
        this.stride = cfg.nx + 2;
        int cells = stride * (cfg.ny + 2);
        cur = new Field(cells);
        next = new Field(cells);
        bed = new double[cells];
        spare = newSnapshot();
        rowsDone = new long[cfg.workers];
        speedBarrier = new CyclicBarrier(cfg.workers, this::chooseTimeStep);
        stepBarrier = new CyclicBarrier(cfg.workers, this::finishStep);
        initialise();
    }

    private Snapshot newSnapshot() {
        return new Snapshot(cfg.nx * cfg.ny * 3 * Float.BYTES);
    }

    /** A beach rising to the south, a hump of water in the north-west. */
    private void initialise() {
        for (int j = 0; j < cfg.ny + 2; j++) {
            double y = (double) j / cfg.ny;
            for (int i = 0; i < stride; i++) {
                double x = (double) i / cfg.nx;
                int k = j * stride + i;
                bed[k] = y < 0.55 ? 0 : (y - 0.55) * 6 + 0.05 * Math.sin(14 * x);
                double level = 1.2 + 0.9 * Math.exp(-80 * ((x - 0.3) * (x - 0.3) + (y - 0.25) * (y - 0.25)));
                cur.h[k] = Math.max(0, level - bed[k]);
            }
        }
    }

    private void chooseTimeStep() {
        double fastest = Double.longBitsToDouble(maxSpeed.getThenReset());
        dt = 0.4 / Math.max(fastest, 1e-6);
        speedCursor.set(0);
    }

    private void finishStep() {
        Field f = cur;
        cur = next;
        next = f;
        time += dt;
        step++;
        updateCursor.set(0);
        for (int p = 0; p < cfg.probes; p++) {
            int i = 1 + (p * 37 + 11) % cfg.nx;
            int j = 1 + (p * 53 + 29) % cfg.ny;
            gaugeSum += cur.h[j * stride + i] * (p + 1);
        }
    }

    private void work(int id) throws InterruptedException, BrokenBarrierException {
        while (step < cfg.steps) {
            if (id == 0 && cfg.checkpointEvery > 0 && step > 0 && step % cfg.checkpointEvery == 0) {
                checkpoint();
            }
            int from;
            while ((from = speedCursor.getAndAdd(cfg.chunk)) < cfg.ny) {
                int to = Math.min(from + cfg.chunk, cfg.ny);
                double fastest = 0;
                for (int j = from; j < to; j++) {
                    fastest = Math.max(fastest, rowSpeed(j + 1));
                }
                maxSpeed.accumulate(Double.doubleToLongBits(fastest));
            }
            speedBarrier.await();
            while ((from = updateCursor.getAndAdd(cfg.chunk)) < cfg.ny) {
                int to = Math.min(from + cfg.chunk, cfg.ny);
                for (int j = from; j < to; j++) {
                    updateRow(j + 1);
                }
                rowsDone[id] += to - from;
            }
            stepBarrier.await();
        }
    }

    private double rowSpeed(int j) {
        double fastest = 0;
        for (int k = j * stride + 1, end = k + cfg.nx; k < end; k++) {
            double h = cur.h[k];
            if (h > DRY) {
                double c = Math.sqrt(G * h);
                fastest = Math.max(fastest, Math.max(Math.abs(cur.hu[k] / h), Math.abs(cur.hv[k] / h)) + c);
            }
        }
        return fastest;
    }

    private void updateRow(int j) {
        double[] fl = new double[3];
        for (int i = 1; i <= cfg.nx; i++) {
            int k = j * stride + i;
            double dh = 0, dhu = 0, dhv = 0;
            boolean wet = cur.h[k] > DRY || cur.h[k - 1] > DRY || cur.h[k + 1] > DRY
                    || cur.h[k - stride] > DRY || cur.h[k + stride] > DRY;
            if (wet) {
                if (flux(k - 1, k, true, fl, i == 1, false)) {
                    dh += fl[0]; dhu += fl[1]; dhv += fl[2];
                }
                if (flux(k, k + 1, true, fl, false, i == cfg.nx)) {
                    dh -= fl[0]; dhu -= fl[1]; dhv -= fl[2];
                }
                if (flux(k - stride, k, false, fl, j == 1, false)) {
                    dh += fl[0]; dhu += fl[1]; dhv += fl[2];
                }
                if (flux(k, k + stride, false, fl, false, j == cfg.ny)) {
                    dh -= fl[0]; dhu -= fl[1]; dhv -= fl[2];
                }
            }
            double h = Math.max(0, cur.h[k] + dt * dh);
            double hu = cur.hu[k] + dt * dhu;
            double hv = cur.hv[k] + dt * dhv;
            if (h <= DRY) {
                hu = 0;
                hv = 0;
            } else {
                hv -= dt * G * h * 0.5 * slope(k);
                if (h < 0.9) {
                    double s = frictionFactor(h, hu, hv);
                    hu *= s;
                    hv *= s;
                }
            }
            next.h[k] = h;
            next.hu[k] = hu;
            next.hv[k] = hv;
        }
    }

    private double slope(int k) {
        return (bed[k + stride] - bed[k - stride]) * 0.05;
    }

    /** Rusanov flux between a left/upper and a right/lower cell; walls reflect. Returns false where both are dry. */
    private boolean flux(int l, int r, boolean alongX, double[] f, boolean wallLeft, boolean wallRight) {
        int a = wallLeft ? r : l;
        int b = wallRight ? l : r;
        double hl = cur.h[a], hr = cur.h[b];
        if (hl <= DRY && hr <= DRY) {
            return false;
        }
        double nl = alongX ? cur.hu[a] : cur.hv[a], tl = alongX ? cur.hv[a] : cur.hu[a];
        double nr = alongX ? cur.hu[b] : cur.hv[b], tr = alongX ? cur.hv[b] : cur.hu[b];
        nl = wallLeft ? -nl : nl;
        nr = wallRight ? -nr : nr;
        double ul = hl > DRY ? nl / hl : 0, ur = hr > DRY ? nr / hr : 0;
        double s = Math.max(Math.abs(ul) + Math.sqrt(G * hl), Math.abs(ur) + Math.sqrt(G * hr));
        f[0] = 0.5 * (nl + nr) - 0.5 * s * (hr - hl);
        double fn = 0.5 * (nl * ul + 0.5 * G * hl * hl + nr * ur + 0.5 * G * hr * hr) - 0.5 * s * (nr - nl);
        double ft = 0.5 * (tl * ul + tr * ur) - 0.5 * s * (tr - tl);
        f[1] = alongX ? fn : ft;
        f[2] = alongX ? ft : fn;
        return true;
    }

    /** Implicit Manning friction: Newton iteration for the factor by which momentum shrinks. */
    private double frictionFactor(double h, double hu, double hv) {
        double q = Math.sqrt(hu * hu + hv * hv);
        double k = dt * G * 0.03 * 0.03 * q / Math.cbrt(h * h * h * h * h * h * h);
        double s = 1;
        for (int n = 0; n < cfg.friction; n++) {
            s -= (s + k * s * s - 1) / (1 + 2 * k * s);
        }
        return s;
    }

    /** Copies the current level (nobody writes it before the next step barrier) and swaps buffers with the writer. */
    private void checkpoint() throws InterruptedException {
        Snapshot s = spare;
        s.data.clear();
        for (int j = 1; j <= cfg.ny; j++) {
            for (int k = j * stride + 1, end = k + cfg.nx; k < end; k++) {
                s.data.putFloat((float) cur.h[k]).putFloat((float) cur.hu[k]).putFloat((float) cur.hv[k]);
            }
        }
        s.data.flip();
        long t0 = System.nanoTime();
        spare = exchange(s);
        exchangeNanos += System.nanoTime() - t0;
    }

    private Snapshot exchange(Snapshot s) throws InterruptedException {
        while (true) {
            try {
                return exchanger.exchange(s, 5, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                if (failure.get() != null) {
                    throw new InterruptedException("checkpoint writer is gone");
                }
            }
        }
    }

    private void fail(Throwable t) {
        if (failure.compareAndSet(null, t)) {
            for (Thread w : team) {
                w.interrupt();
            }
        }
    }

    void run() throws InterruptedException {
        long t0 = System.nanoTime();
        double before = volume();
        CheckpointWriter writer = new CheckpointWriter();
        team = new Thread[cfg.workers];
        for (int i = 0; i < cfg.workers; i++) {
            int id = i;
            team[i] = new Thread(() -> {
                try {
                    work(id);
                } catch (InterruptedException | BrokenBarrierException | RuntimeException e) {
                    fail(e);
                }
            }, "solver-" + i);
        }
        writer.start();
        for (Thread t : team) {
            t.start();
        }
        for (Thread t : team) {
            t.join();
        }
        if (failure.get() == null) {
            spare.last = true;
            exchange(spare);
            writer.join();
        }
        if (failure.get() != null) {
            failure.get().printStackTrace();
            System.exit(1);
        }
        double seconds = (System.nanoTime() - t0) / 1e9;
        double after = volume();
        if (Math.abs(after - before) > before * 0.01) {
            throw new IllegalStateException("water lost: " + before + " -> " + after);
        }
        long most = 0, total = 0;
        for (long r : rowsDone) {
            most = Math.max(most, r);
            total += r;
        }
        System.out.printf(Locale.ROOT, "steps %d, simulated time %.4f, volume %.6f -> %.6f, gauges %.9f%n",
                step, time, before, after, gaugeSum);
        System.out.printf(Locale.ROOT, "checkpoints %d, %d -> %d bytes, writer busy %.1f ms, solver waited %.1f ms%n",
                writer.count, writer.rawBytes, writer.written, writer.busyNanos / 1e6, exchangeNanos / 1e6);
        System.out.printf(Locale.ROOT, "busiest worker did %.1f%% of rows%n", 100.0 * most / Math.max(1, total));
        System.out.printf(Locale.ROOT, "elapsed %.3f s, %.1f Mcells/s%n", seconds,
                (double) cfg.nx * cfg.ny * cfg.steps / seconds / 1e6);
        System.out.printf("checksum %016x%n", checksum() ^ writer.crc);
    }

    private double volume() {
        double v = 0;
        for (int j = 1; j <= cfg.ny; j++) {
            for (int i = 1; i <= cfg.nx; i++) {
                v += cur.h[j * stride + i];
            }
        }
        return v;
    }

    private long checksum() {
        long x = 1125899906842597L;
        for (int j = 1; j <= cfg.ny; j++) {
            for (int i = 1; i <= cfg.nx; i++) {
                int k = j * stride + i;
                x = x * 31 + Double.doubleToLongBits(cur.h[k]);
                x = x * 31 + Double.doubleToLongBits(cur.hu[k]) + Double.doubleToLongBits(cur.hv[k]);
            }
        }
        return x;
    }

    public static void main(String[] args) throws InterruptedException {
        try {
            new TideSolver(Config.read()).run();
        } catch (IllegalArgumentException e) {
            System.err.println("TideSolver: " + e.getMessage());
            System.exit(64);
        }
    }
}
