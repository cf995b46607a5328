import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStreamWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * An option quote server on a loopback socket together with the clients that load it.
 *
 * Server: an acceptor thread gives each connection to a pool of handler threads (a connection keeps
 * its handler until it is closed). A quote needs the volatility surface of the symbol and day, which
 * is loaded once through a small pool of database connections, and then a Monte Carlo valuation.
 * Every quote is journalled; a scheduled task writes the journal to a file.
 * Clients: each takes the next session, connects, asks its quotes one by one, thinks in between.
 */
public final class QuoteServer {

    private static final Map<String, Integer> SETTINGS = new HashMap<>(Map.of(
            "handlers", 4,
            "clients", 6,
            "sessions", 48,
            "requests", 20,
            "think-ms", 3,
            "db-connections", 2,
            "db-ms", 8,
            "symbols", 10,
            "paths", 1500,
            "flush-ms", 100));

    private static int setting(String name) {
        return SETTINGS.get(name);
    }

    // ------------------------------------------------------------------ database

    private record Surface(double volatility, double rate) { }

    /** A connection may only be used by one thread at a time. */
    private static final class DbConnection {
        private int queries;

        Surface load(String symbol, int day) throws InterruptedException {
            Thread.sleep(setting("db-ms"));
            queries++;
            int h = Math.floorMod(symbol.hashCode() * 31 + day * 7919, 1000);
            return new Surface(0.10 + h / 4000.0, 0.01 + (h % 17) / 1000.0);
        }
    }

    private static final class Database {
        private final BlockingQueue<DbConnection> idle;
        private final int size;

        Database(int connections) {
            size = connections;
            idle = new ArrayBlockingQueue<>(connections);
            for (int i = 0; i < connections; i++) {
                idle.add(new DbConnection());
            }
        }

        Surface load(String symbol, int day) throws InterruptedException {
            DbConnection c = idle.take();
            try {
                return c.load(symbol, day);
            } finally {
                idle.put(c);
            }
        }

        int queries() throws InterruptedException {
            int sum = 0;
            for (int i = 0; i < size; i++) {
                sum += idle.take().queries;
            }
            return sum;
        }
    }

    /** Loads each surface once; latecomers wait for the thread which is loading it. */
    private static final class SurfaceCache {
        private final ConcurrentMap<String, FutureTask<Surface>> cache = new ConcurrentHashMap<>();
        private final Database db;

        SurfaceCache(Database db) {
            this.db = db;
        }

        Surface get(String symbol, int day) throws InterruptedException {
            String key = symbol + '@' + day;
            FutureTask<Surface> f = cache.get(key);
            if (f == null) {
                FutureTask<Surface> mine = new FutureTask<>(() -> db.load(symbol, day));
                f = cache.putIfAbsent(key, mine);
                if (f == null) {
                    f = mine;
                    mine.run();
                }
            }
            try {
                return f.get();
            } catch (ExecutionException | CancellationException e) {
                throw new IllegalStateException("no surface for " + key, e);
            }
        }
    }

    // ------------------------------------------------------------------ journal

    private static final class Journal implements Closeable {
        private final Path file;
        private final BufferedWriter out;
        private final ScheduledExecutorService timer;
        private List<String> pending = new ArrayList<>();
        private int flushes;

        Journal(int flushMillis) throws IOException {
            file = Files.createTempFile("quotes", ".log");
            out = Files.newBufferedWriter(file);
            timer = Executors.newSingleThreadScheduledExecutor(r -> new Thread(r, "journal"));
            timer.scheduleWithFixedDelay(this::flush, flushMillis, flushMillis, TimeUnit.MILLISECONDS);
        }

        void add(String line) {
            synchronized (this) {
                pending.add(line);
            }
        }

        private void flush() {
            List<String> lines;
            synchronized (this) {
                lines = pending;
                pending = new ArrayList<>();
            }
            try {
                for (String l : lines) {
                    out.write(l);
                    out.newLine();
                }
                out.flush();
                flushes++;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        /** The number of lines in the journal when all is written. */
        long finish() throws IOException, InterruptedException {
            timer.shutdown();
            timer.awaitTermination(10, TimeUnit.SECONDS);
            flush();
            close();
            try (var lines = Files.lines(file)) {
                return lines.count();
            } finally {
                Files.delete(file);
            }
        }

        @Override
        public void close() throws IOException {
            out.close();
        }
    }

    // ------------------------------------------------------------------ server

    private static final class Server {
        private final ServerSocket listener;
        private final ExecutorService handlers;
        private final SurfaceCache surfaces;
        private final Journal journal;
        private final Thread acceptor = new Thread(this::acceptLoop, "acceptor");

        Server(SurfaceCache surfaces, Journal journal) throws IOException {
            this.surfaces = surfaces;
            this.journal = journal;
            listener = new ServerSocket(0, 128, InetAddress.getLoopbackAddress());
            AtomicInteger seq = new AtomicInteger();
            handlers = Executors.newFixedThreadPool(setting("handlers"),
                    r -> new Thread(r, "handler-" + seq.incrementAndGet()));
            acceptor.start();
        }

        int port() {
            return listener.getLocalPort();
        }

        private void acceptLoop() {
            try {
                while (true) {
                    Socket s = listener.accept();
                    s.setTcpNoDelay(true);
                    handlers.execute(() -> handle(s));
                }
            } catch (SocketException e) {
                // closed by stop()
            } catch (IOException e) {
                e.printStackTrace();
            }
        }

        private void handle(Socket socket) {
            try (socket;
                 BufferedReader in = reader(socket);
                 BufferedWriter out = writer(socket)) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    String[] f = line.split(" ");
                    long cents = quote(f[0], Integer.parseInt(f[1]), Double.parseDouble(f[2]),
                            Long.parseLong(f[3]));
                    journal.add(line + " -> " + cents);
                    out.write(Long.toString(cents));
                    out.write('\n');
                    out.flush();
                }
            } catch (IOException e) {
                e.printStackTrace();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        private long quote(String symbol, int day, double strike, long seed)
                throws InterruptedException {
            Surface s = surfaces.get(symbol, day);
            SplittableRandom rnd = new SplittableRandom(seed);
            final int points = 12;
            double dt = 1.0 / points;
            double drift = (s.rate() - s.volatility() * s.volatility() / 2) * dt;
            double sigma = s.volatility() * Math.sqrt(dt);
            double payoff = 0;
            int paths = setting("paths");
            for (int p = 0; p < paths; p++) {
                double price = 100;
                double average = 0;
                for (int k = 0; k < points; k++) {
                    double z = rnd.nextDouble() + rnd.nextDouble() + rnd.nextDouble()
                            + rnd.nextDouble() - 2.0;
                    price *= StrictMath.exp(drift + sigma * z * 1.7320508);
                    average += price;
                }
                payoff += Math.max(0, average / points - strike);
            }
            return Math.round(100 * payoff / paths * StrictMath.exp(-s.rate()));
        }

        void stop() throws IOException, InterruptedException {
            listener.close();
            acceptor.join();
            handlers.shutdown();
            handlers.awaitTermination(30, TimeUnit.SECONDS);
        }
    }

    private static BufferedReader reader(Socket s) throws IOException {
        return new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.US_ASCII));
    }

    private static BufferedWriter writer(Socket s) throws IOException {
        return new BufferedWriter(new OutputStreamWriter(s.getOutputStream(), StandardCharsets.US_ASCII));
    }

    // ------------------------------------------------------------------ clients

    private static final class Client implements Runnable {
        private final int port;
        private final AtomicInteger nextSession;
        private final AtomicLong sum;
        private final AtomicLong waitNanos;
        private final CountDownLatch done;

        Client(int port, AtomicInteger nextSession, AtomicLong sum, AtomicLong waitNanos,
               CountDownLatch done) {
            this.port = port;
            this.nextSession = nextSession;
            this.sum = sum;
            this.waitNanos = waitNanos;
            this.done = done;
        }

        @Override
        public void run() {
            try {
                int session;
                while ((session = nextSession.getAndIncrement()) < setting("sessions")) {
                    session(session);
                }
            } catch (IOException e) {
                e.printStackTrace();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            } finally {
                done.countDown();
            }
        }

        private void session(int session) throws IOException, InterruptedException {
            SplittableRandom rnd = new SplittableRandom(77_000L + session);
            try (Socket s = new Socket(InetAddress.getLoopbackAddress(), port)) {
                s.setTcpNoDelay(true);
                BufferedReader in = reader(s);
                BufferedWriter out = writer(s);
                for (int r = 0; r < setting("requests"); r++) {
                    String symbol = "SYM" + rnd.nextInt(setting("symbols"));
                    int day = session / 4;
                    int strike = 90 + rnd.nextInt(21);
                    long seed = rnd.nextLong();
                    long t0 = System.nanoTime();
                    out.write(symbol + ' ' + day + ' ' + strike + ' ' + seed + '\n');
                    out.flush();
                    String reply = in.readLine();
                    if (reply == null) {
                        throw new IOException("server closed the connection");
                    }
                    waitNanos.addAndGet(System.nanoTime() - t0);
                    sum.addAndGet(Long.parseLong(reply) * (1 + session * 1000L + r));
                    if (setting("think-ms") > 0) {
                        Thread.sleep(setting("think-ms"));
                    }
                }
            }
        }
    }

    public static void main(String[] args) throws Exception {
        SETTINGS.replaceAll(Integer::getInteger);
        long start = System.nanoTime();
        Database db = new Database(setting("db-connections"));
        Journal journal = new Journal(setting("flush-ms"));
        Server server = new Server(new SurfaceCache(db), journal);

        AtomicInteger nextSession = new AtomicInteger();
        AtomicLong sum = new AtomicLong();
        AtomicLong waitNanos = new AtomicLong();
        CountDownLatch done = new CountDownLatch(setting("clients"));
        for (int c = 0; c < setting("clients"); c++) {
            new Thread(new Client(server.port(), nextSession, sum, waitNanos, done), "client-" + c).start();
        }
        done.await();
        server.stop();
        long lines = journal.finish();

        double seconds = (System.nanoTime() - start) / 1e9;
        long quotes = (long) setting("sessions") * setting("requests");
        System.out.printf("quotes=%d journalled=%d db-queries=%d flushes=%d mean-wait=%.2f ms%n",
                quotes, lines, db.queries(), journal.flushes, waitNanos.get() / 1e6 / Math.max(1, quotes));
        System.out.printf("checksum=%016x%n", sum.get());
        System.out.printf("elapsed=%.3f s%n", seconds);
    }
}
