import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * ThumbForge: a thumbnail service. A request asks for an image in a size. Originals are fetched from a store which
 * allows so many connections only; they are decoded, scaled and encoded on a second executor. Finished thumbnails
 * are kept in an LRU cache, and requests for a thumbnail which is being made join the one in flight.
 * The clients are in the program: each sends its next request when it has the answer to the last one.
 */
public final class ThumbForge {

    // ------------------------------------------------------------------ settings

    enum Setting {
        CLIENTS(8, 1), REQUESTS(900, 0), IO_THREADS(6, 1), CPU_THREADS(2, 1), CONNECTIONS(4, 1), FETCH_MS(4, 0),
        IMAGES(240, 1), SIZES(3, 1), CACHE(160, 0), PIXELS(176, 64), QUALITY(2, 1), THINK_MS(1, 0);

        final int standard;
        final int minimum;

        Setting(int standard, int minimum) {
            this.standard = standard;
            this.minimum = minimum;
        }

        String flag() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }

        static Map<Setting, Integer> read() {
            Map<Setting, Integer> out = new HashMap<>();
            for (Setting s : values()) {
                int v = Integer.getInteger(s.flag(), s.standard);
                if (v < s.minimum) throw new IllegalArgumentException(s.flag() + ": at least " + s.minimum);
                out.put(s, v);
            }
            return out;
        }
    }

    // ------------------------------------------------------------------ model

    record Key(int image, int size) { }

    record Original(int image, long seed, int side) { }

    record Bitmap(int side, int[] argb) { }

    record Thumbnail(Key key, int bytes, long digest) { }

    static long mix(long z) {
        z = (z ^ (z >>> 30)) * 0xbf58476d1ce4e5b9L;
        z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
        return z ^ (z >>> 31);
    }

    // ------------------------------------------------------------------ store

    /** The store of the originals: limited connections, each fetch takes a while; big images take twice as long. */
    static final class Store {
        private final Semaphore connections;
        private final long fetchMillis;
        private final int side;
        final LongAdder fetches = new LongAdder();
        final LongAdder waitNanos = new LongAdder();

        Store(int connections, long fetchMillis, int side) {
            this.connections = new Semaphore(connections);
            this.fetchMillis = fetchMillis;
            this.side = side;
        }

        Original fetch(int image) {
            long t = System.nanoTime();
            try {
                connections.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CompletionException(e);
            }
            try {
                waitNanos.add(System.nanoTime() - t);
                fetches.increment();
                boolean big = image % 5 == 0;
                if (fetchMillis > 0) Thread.sleep(big ? 2 * fetchMillis : fetchMillis);
                return new Original(image, mix(image * 77L + 5), big ? side * 3 / 2 : side);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new CompletionException(e);
            } finally {
                connections.release();
            }
        }
    }

    // ------------------------------------------------------------------ image work

    static Bitmap decode(Original o) {
        int side = o.side();
        int[] px = new int[side * side];
        long s = o.seed();
        int previous = 0;
        for (int i = 0; i < px.length; i++) {
            s = s * 6364136223846793005L + 1442695040888963407L;
            int delta = (int) (s >>> 58) - 32;
            int up = i >= side ? px[i - side] & 0xff : 128;
            int v = Math.max(0, Math.min(255, (previous + up) / 2 + delta));
            previous = v;
            px[i] = 0xff000000 | (v << 16) | ((255 - v) << 8) | v;
        }
        return new Bitmap(side, px);
    }

    /** A box filter, run once for each level of quality before the picture is sampled. */
    static Bitmap scale(Bitmap in, int target, int quality) {
        int side = in.side();
        int[] src = in.argb();
        for (int q = 0; q < quality; q++) {
            int[] dst = new int[src.length];
            for (int y = 0; y < side; y++) {
                int y0 = Math.max(0, y - 1) * side;
                int y1 = y * side;
                int y2 = Math.min(side - 1, y + 1) * side;
                for (int x = 0; x < side; x++) {
                    int x0 = Math.max(0, x - 1);
                    int x2 = Math.min(side - 1, x + 1);
                    int r = 0;
                    int g = 0;
                    int b = 0;
                    for (int p : new int[] {src[y0 + x0], src[y0 + x2], src[y1 + x], src[y2 + x0], src[y2 + x2]}) {
                        r += p >> 16 & 0xff;
                        g += p >> 8 & 0xff;
                        b += p & 0xff;
                    }
                    dst[y1 + x] = 0xff000000 | (r / 5) << 16 | (g / 5) << 8 | b / 5;
                }
            }
            src = dst;
        }
        int[] out = new int[target * target];
        for (int y = 0; y < target; y++) {
            for (int x = 0; x < target; x++) {
                out[y * target + x] = src[y * side / target * side + x * side / target];
            }
        }
        return new Bitmap(target, out);
    }

    static Thumbnail encode(Key key, Bitmap b) {
        long digest = mix(key.image() * 31L + key.size());
        int bytes = 16;
        int run = 0;
        int last = -1;
        for (int p : b.argb()) {
            if (p == last && run < 255) {
                run++;
            } else {
                bytes += 4;
                run = 0;
            }
            last = p;
            digest = (digest ^ p) * 0x100000001b3L;
        }
        return new Thumbnail(key, bytes, digest);
    }

    // ------------------------------------------------------------------ cache

    static final class LruCache {
        private final LinkedHashMap<Key, Thumbnail> map;
        private long bytes;
        private long evictions;

        LruCache(int capacity) {
            map = new LinkedHashMap<>(64, 0.75f, true) {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Thumbnail> eldest) {
                    if (size() <= capacity) return false;
                    bytes -= eldest.getValue().bytes();
                    evictions++;
                    return true;
                }
            };
        }

        synchronized Thumbnail get(Key k) {
            return map.get(k);
        }

        synchronized void put(Thumbnail t) {
            if (map.put(t.key(), t) == null) bytes += t.bytes();
        }

        synchronized String describe() {
            return map.size() + " entries, " + bytes / 1024 + " KiB, " + evictions + " evictions";
        }
    }

    // ------------------------------------------------------------------ service

    static final class Service implements AutoCloseable {
        private final ExecutorService io;
        private final ExecutorService cpu;
        private final Store store;
        private final LruCache cache;
        private final int quality;
        private final ConcurrentHashMap<Key, CompletableFuture<Thumbnail>> inFlight = new ConcurrentHashMap<>();
        final LongAdder hits = new LongAdder();
        final LongAdder joined = new LongAdder();
        final LongAdder made = new LongAdder();
        final LongAdder cpuNanos = new LongAdder();

        Service(int ioThreads, int cpuThreads, Store store, LruCache cache, int quality) {
            io = Executors.newFixedThreadPool(ioThreads, named("io"));
            cpu = Executors.newFixedThreadPool(cpuThreads, named("cpu"));
            this.store = store;
            this.cache = cache;
            this.quality = quality;
        }

        CompletableFuture<Thumbnail> get(Key key) {
            Thumbnail cached = cache.get(key);
            if (cached != null) {
                hits.increment();
                return CompletableFuture.completedFuture(cached);
            }
            CompletableFuture<Thumbnail> mine = new CompletableFuture<>();
            CompletableFuture<Thumbnail> other = inFlight.putIfAbsent(key, mine);
            if (other != null) {
                joined.increment();
                return other;
            }
            CompletableFuture.supplyAsync(() -> store.fetch(key.image()), io)
                .thenApplyAsync(o -> timed(() -> decode(o)), cpu)
                .thenApplyAsync(b -> timed(() -> scale(b, 24 << key.size() % 3, quality)), cpu)
                .thenApply(b -> timed(() -> encode(key, b)))
                .whenComplete((t, error) -> {
                    if (error == null) {
                        made.increment();
                        cache.put(t);
                    }
                    inFlight.remove(key, mine);
                    if (error == null) mine.complete(t);
                    else mine.completeExceptionally(error);
                });
            return mine;
        }

        private <T> T timed(java.util.function.Supplier<T> work) {
            long t = System.nanoTime();
            try {
                return work.get();
            } finally {
                cpuNanos.add(System.nanoTime() - t);
            }
        }

        @Override
        public void close() {
            io.shutdown();
            cpu.shutdown();
            try {
                if (!io.awaitTermination(5, TimeUnit.SECONDS) || !cpu.awaitTermination(5, TimeUnit.SECONDS)) {
                    throw new IllegalStateException("executors did not stop");
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    static ThreadFactory named(String prefix) {
        AtomicInteger n = new AtomicInteger();
        return r -> {
            Thread t = new Thread(r, prefix + "-" + n.incrementAndGet());
            t.setDaemon(true);
            return t;
        };
    }

    // ------------------------------------------------------------------ clients

    /** Request number n is the same whoever sends it; some images are a lot more popular than others. */
    static Key request(int n, int images, int sizes) {
        long r = mix(n * 0x9e3779b97f4a7c15L + 99);
        double u = (r >>> 11) * 0x1.0p-53;
        int image = (int) (images * u * u * u);
        return new Key(Math.min(images - 1, image), (int) Long.remainderUnsigned(mix(r), sizes));
    }

    static final class Client extends Thread {
        private final Service service;
        private final AtomicInteger nextRequest;
        private final Map<Setting, Integer> cfg;
        private final long[] latency;
        long digest;
        int errors;

        Client(int n, Service service, AtomicInteger nextRequest, Map<Setting, Integer> cfg, long[] latency) {
            super("client-" + n);
            this.service = service;
            this.nextRequest = nextRequest;
            this.cfg = cfg;
            this.latency = latency;
        }

        @Override
        public void run() {
            int total = cfg.get(Setting.REQUESTS);
            int think = cfg.get(Setting.THINK_MS);
            for (int n = nextRequest.getAndIncrement(); n < total; n = nextRequest.getAndIncrement()) {
                Key key = request(n, cfg.get(Setting.IMAGES), cfg.get(Setting.SIZES));
                long t = System.nanoTime();
                try {
                    Thumbnail thumb = service.get(key).join();
                    digest += mix(thumb.digest() + n);
                } catch (CompletionException e) {
                    errors++;
                    System.err.println(getName() + ": " + key + ": " + e.getCause());
                }
                latency[n] = System.nanoTime() - t;
                if (think > 0) {
                    try {
                        Thread.sleep(think);
                    } catch (InterruptedException e) {
                        return;
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Map<Setting, Integer> cfg;
        try {
            cfg = Setting.read();
        } catch (IllegalArgumentException e) {
            System.err.println("ThumbForge: " + e.getMessage());
            System.exit(2);
            return;
        }
        int requests = cfg.get(Setting.REQUESTS);
        long[] latency = new long[requests];
        long start = System.nanoTime();
        Store store = new Store(cfg.get(Setting.CONNECTIONS), cfg.get(Setting.FETCH_MS), cfg.get(Setting.PIXELS));
        LruCache cache = new LruCache(cfg.get(Setting.CACHE));
        List<Client> clients = new ArrayList<>();
        long digest = 0;
        int errors = 0;
        double elapsed;
        try (Service service = new Service(cfg.get(Setting.IO_THREADS), cfg.get(Setting.CPU_THREADS), store, cache,
            cfg.get(Setting.QUALITY))) {
            AtomicInteger nextRequest = new AtomicInteger();
            for (int i = 0; i < cfg.get(Setting.CLIENTS); i++) {
                Client c = new Client(i, service, nextRequest, cfg, latency);
                clients.add(c);
                c.start();
            }
            for (Client c : clients) {
                c.join();
                digest += c.digest;
                errors += c.errors;
            }
            elapsed = (System.nanoTime() - start) / 1e6;
            long made = service.made.sum();
            System.out.printf(Locale.ROOT, "requests=%d hits=%d joined=%d made=%d errors=%d%n", requests, service.hits.sum(),
                service.joined.sum(), made, errors);
            System.out.printf(Locale.ROOT, "cpu/thumbnail=%.2f ms store-wait/fetch=%.2f ms%n",
                service.cpuNanos.sum() / 1e6 / Math.max(1, made), store.waitNanos.sum() / 1e6 / Math.max(1, store.fetches.sum()));
        }
        System.out.println("cache: " + cache.describe());
        if (requests > 0) {
            double mean = Arrays.stream(latency).average().orElse(0) / 1e6;
            Arrays.sort(latency);
            System.out.printf(Locale.ROOT, "latency mean=%.2f p50=%.2f p95=%.2f p99=%.2f ms%n", mean, latency[requests / 2] / 1e6,
                latency[(int) (requests * 0.95)] / 1e6, latency[(int) (requests * 0.99)] / 1e6);
        }
        System.out.printf(Locale.ROOT, "checksum %016x%n", digest);
        System.out.printf(Locale.ROOT, "elapsed %.1f ms%n", elapsed);
        if (errors > 0) System.exit(1);
    }
}
