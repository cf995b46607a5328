import java.util.*;
import java.util.concurrent.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;

/** A log whose writer takes all records that have come, syncs once, and keeps the promise of each. */
public class Journal {
    record Entry(byte[] data, CompletableFuture<Long> done) {}
    static final LinkedBlockingQueue<Entry> queue = new LinkedBlockingQueue<>(256);
    static final int EFFORT = Integer.getInteger("effort", 150_000);

    static void writer(Path file) {
        try (FileChannel ch = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            List<Entry> batch = new ArrayList<>();
            long lsn = 0;
            while (true) {
                Entry first = queue.take();
                if (first.data == null) return;
                batch.add(first);
                queue.drainTo(batch, 31);
                ByteBuffer buf = ByteBuffer.allocate(64 * 1024);
                boolean last = false;
                for (Entry e : batch) { if (e.data == null) { last = true; } else buf.put(e.data); }
                buf.flip();
                ch.write(buf);
                ch.force(false);
                for (Entry e : batch) if (e.data != null) e.done.complete(lsn++);
                batch.clear();
                if (last) return;
            }
        } catch (Exception e) { throw new RuntimeException(e); }
    }

    static byte[] encode(long i) {
        byte[] out = new byte[256];
        long h = i * 0x9E3779B97F4A7C15L;
        for (int k = 0; k < EFFORT; k++) { h ^= h << 13; h ^= h >>> 7; h ^= h << 17; out[k & 255] ^= (byte) h; }
        return out;
    }

    public static void main(String[] args) throws Exception {
        int clients = Integer.getInteger("clients", 4), records = Integer.getInteger("records", 4000);
        Path file = Files.createTempFile("journal", ".dat");
        Thread w = new Thread(() -> writer(file), "writer");
        w.start();
        ExecutorService pool = Executors.newFixedThreadPool(clients);
        List<Future<Long>> all = new ArrayList<>();
        final int n = records, c = clients;
        for (int k = 0; k < clients; k++) {
            final int id = k;
            all.add(pool.submit(() -> {
                long last = 0;
                for (int i = id; i < n; i += c) {
                    Entry e = new Entry(encode(i), new CompletableFuture<>());
                    queue.put(e);
                    last = e.done.get();
                }
                return last;
            }));
        }
        long max = 0;
        for (Future<Long> f : all) max = Math.max(max, f.get());
        queue.put(new Entry(null, null));
        w.join();
        pool.shutdown();
        Files.delete(file);
        System.out.println("last lsn " + max);
    }
}
