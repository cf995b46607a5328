import java.nio.charset.StandardCharsets;
import java.security.*;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.*;

/**
 * An in-process profile service: clients send requests to a server with a
 * request queue and handler threads; profiles are cached in segments behind
 * read/write locks, loaded over a pool of database connections and expired by
 * a scheduled housekeeping task.
 */
public class ProfileServer {
    static final int CLIENTS = Integer.getInteger("clients", 4);
    static final int HANDLERS = Integer.getInteger("handlers", 3);
    static final int CONNECTIONS = Integer.getInteger("connections", 2);
    static final int REQUESTS = Integer.getInteger("requests", 350);
    static final int QUEUE = Integer.getInteger("queue", 32);
    static final int SEGMENTS = Integer.getInteger("segments", 8);
    static final int PROFILES = Integer.getInteger("profiles", 400);
    static final int QUERY_MS = Integer.getInteger("queryMs", 2);
    static final int TTL_MS = Integer.getInteger("ttlMs", 400);
    static final int SWEEP_MS = Integer.getInteger("sweepMs", 50);
    static final int ROUNDS = Integer.getInteger("rounds", 60);
    static final int ATTRIBUTES = Integer.getInteger("attributes", 60);
    static final long SEED = Long.getLong("seed", 13);

    static final class Profile {
        final int id;
        final Map<String, String> attributes;
        final byte[] salt;
        final long loaded = System.nanoTime();

        Profile(int id, Map<String, String> attributes, byte[] salt) {
            this.id = id;
            this.attributes = attributes;
            this.salt = salt;
        }
    }

    static final class Connection {
        /** Fetches the row of a profile and parses it. */
        Profile query(int id) throws InterruptedException {
            Thread.sleep(QUERY_MS);
            Random r = new Random(SEED * 10_007 + id);
            StringBuilder row = new StringBuilder();
            for (int i = 0; i < ATTRIBUTES; i++) {
                row.append("attr").append(i).append('=').append(Long.toHexString(r.nextLong())).append(';');
            }
            Map<String, String> attributes = new TreeMap<>();
            for (String field : row.toString().split(";")) {
                int eq = field.indexOf('=');
                attributes.put(field.substring(0, eq), field.substring(eq + 1));
            }
            byte[] salt = new byte[16];
            r.nextBytes(salt);
            return new Profile(id, attributes, salt);
        }
    }

    static final class ConnectionPool {
        private final Deque<Connection> free = new ArrayDeque<>();

        ConnectionPool(int size) {
            for (int i = 0; i < size; i++) {
                free.push(new Connection());
            }
        }

        synchronized Connection acquire() throws InterruptedException {
            while (free.isEmpty()) {
                wait();
            }
            return free.pop();
        }

        synchronized void release(Connection c) {
            free.push(c);
            notify();
        }
    }

    static final class Segment {
        private final ReadWriteLock lock = new ReentrantReadWriteLock();
        private final Map<Integer, Profile> map = new HashMap<>();

        Profile get(int id) {
            lock.readLock().lock();
            try {
                return map.get(id);
            } finally {
                lock.readLock().unlock();
            }
        }

        void put(Profile p) {
            lock.writeLock().lock();
            try {
                map.put(p.id, p);
            } finally {
                lock.writeLock().unlock();
            }
        }

        int expire(long before) {
            lock.writeLock().lock();
            try {
                int size = map.size();
                map.values().removeIf(p -> p.loaded - before < 0);
                return size - map.size();
            } finally {
                lock.writeLock().unlock();
            }
        }
    }

    static final class Request {
        final int profile;
        final String password;
        final CompletableFuture<String> reply = new CompletableFuture<>();

        Request(int profile, String password) {
            this.profile = profile;
            this.password = password;
        }
    }

    static final class Server {
        private final BlockingQueue<Request> requests = new LinkedBlockingQueue<>(QUEUE);
        private final ExecutorService handlers = Executors.newFixedThreadPool(HANDLERS);
        private final ScheduledExecutorService housekeeping = Executors.newSingleThreadScheduledExecutor();
        private final ConnectionPool pool = new ConnectionPool(CONNECTIONS);
        private final Segment[] cache = new Segment[SEGMENTS];
        private final AtomicLong misses = new AtomicLong();
        private final AtomicLong expired = new AtomicLong();

        void start() {
            Arrays.setAll(cache, i -> new Segment());
            for (int i = 0; i < HANDLERS; i++) {
                handlers.execute(this::serve);
            }
            housekeeping.scheduleAtFixedRate(this::sweep, SWEEP_MS, SWEEP_MS, TimeUnit.MILLISECONDS);
        }

        void sweep() {
            long before = System.nanoTime() - TimeUnit.MILLISECONDS.toNanos(TTL_MS);
            for (Segment s : cache) {
                expired.addAndGet(s.expire(before));
            }
        }

        Future<String> send(Request r) throws InterruptedException {
            requests.put(r);
            return r.reply;
        }

        private void serve() {
            while (!Thread.currentThread().isInterrupted()) {
                try {
                    Request r = requests.take();
                    try {
                        r.reply.complete(token(lookup(r.profile), r.password));
                    } catch (GeneralSecurityException e) {
                        r.reply.completeExceptionally(e);
                    }
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private Profile lookup(int id) throws InterruptedException {
            Segment segment = cache[id % SEGMENTS];
            Profile p = segment.get(id);
            if (p == null) {
                misses.incrementAndGet();
                Connection c = pool.acquire();
                try {
                    p = c.query(id);
                } finally {
                    pool.release(c);
                }
                segment.put(p);
            }
            return p;
        }

        /** A salted, iterated hash over password and attributes. */
        private String token(Profile p, String password) throws GeneralSecurityException {
            MessageDigest md = MessageDigest.getInstance("SHA-256");
            byte[] d = password.getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < ROUNDS; i++) {
                md.update(p.salt);
                md.update(d);
                for (String v : p.attributes.values()) {
                    md.update(v.getBytes(StandardCharsets.UTF_8));
                }
                d = md.digest();
            }
            return new java.math.BigInteger(1, d).toString(36);
        }

        void stop() throws InterruptedException {
            housekeeping.shutdownNow();
            handlers.shutdownNow();
            handlers.awaitTermination(5, TimeUnit.SECONDS);
        }
    }

    public static void main(String[] args) throws Exception {
        Server server = new Server();
        server.start();
        long[] sums = new long[CLIENTS];
        CountDownLatch done = new CountDownLatch(CLIENTS);
        for (int c = 0; c < CLIENTS; c++) {
            int client = c;
            new Thread(() -> {
                try {
                    Random r = new Random(SEED + client);
                    for (int i = 0; i < REQUESTS; i++) {
                        int id = (int) (PROFILES * r.nextDouble() * r.nextDouble());
                        String token = server.send(new Request(id, "secret" + r.nextInt(1000))).get(10, TimeUnit.SECONDS);
                        sums[client] += token.hashCode();
                    }
                } catch (Exception e) {
                    e.printStackTrace();
                } finally {
                    done.countDown();
                }
            }, "client-" + c).start();
        }
        done.await();
        server.stop();
        System.out.println("requests=" + CLIENTS * REQUESTS + " checksum=" + Arrays.stream(sums).sum());
        System.err.println("misses=" + server.misses + " expired=" + server.expired);
    }
}
