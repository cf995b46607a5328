import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.locks.StampedLock;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * Replays a day of recorded order entry sessions through a matching engine. Gateways parse and check the messages of
 * a session (a session has instruments of its own, hence order matters only inside of it) and route the orders
 * to the engine shard of the instrument; each shard matches on one thread and publishes its trades to the
 * market data feed, which the tape (compressing) and the volume statistics consume.
 *
 * Arguments: [gateways [shards [sessions [messagesPerSession [ringSize [feedBuffer]]]]]]
 */
public class MarketReplay {
    private static final int INSTRUMENTS_PER_SESSION = 3;

    record Order(int instrument, long id, boolean buy, int price, int quantity) { }

    record Trade(int instrument, long maker, long taker, int price, int quantity) { }

    private static final Order CLOSE = new Order(-1, 0, false, 0, 0);

    /** Price collars, read for every order and moved by the engine as an instrument trades. */
    static final class Collars {
        private final StampedLock lock = new StampedLock();
        private final int[] reference = new int[1024];

        boolean plausible(int instrument, int price) {
            long stamp = lock.tryOptimisticRead();
            int ref = reference[instrument];
            if (!lock.validate(stamp)) {
                stamp = lock.readLock();
                ref = reference[instrument];
                lock.unlockRead(stamp);
            }
            return ref == 0 || price > ref / 20 && price < ref * 20;
        }

        void moved(int instrument, int price) {
            long stamp = lock.writeLock();
            reference[instrument] = price;
            lock.unlockWrite(stamp);
        }
    }

    /** Orders wait at their level as id and quantity, first come, first served. */
    static final class Book {
        private final TreeMap<Integer, Deque<long[]>> bids = new TreeMap<>((a, b) -> Integer.compare(b, a));
        private final TreeMap<Integer, Deque<long[]>> asks = new TreeMap<>();

        void accept(Order order, List<Trade> trades) {
            int left = order.quantity();
            TreeMap<Integer, Deque<long[]>> other = order.buy() ? asks : bids;
            while (left > 0 && !other.isEmpty()) {
                Map.Entry<Integer, Deque<long[]>> best = other.firstEntry();
                if (order.buy() ? best.getKey() > order.price() : best.getKey() < order.price()) {
                    break;
                }
                Deque<long[]> level = best.getValue();
                while (left > 0 && !level.isEmpty()) {
                    long[] maker = level.peekFirst();
                    int quantity = (int) Math.min(left, maker[1]);
                    if (quantity > 0) {
                        trades.add(new Trade(order.instrument(), maker[0], order.id(), best.getKey(), quantity));
                    }
                    left -= quantity;
                    maker[1] -= quantity;
                    if (maker[1] == 0) {
                        level.removeFirst();
                    }
                }
                if (level.isEmpty()) {
                    other.remove(best.getKey());
                }
            }
            if (left > 0) {
                (order.buy() ? bids : asks).computeIfAbsent(order.price(), p -> new ArrayDeque<>())
                        .addLast(new long[] {order.id(), left});
            }
        }
    }

    static final class Shard implements Runnable {
        final BlockingQueue<Order> ring;
        private final SubmissionPublisher<List<Trade>> feed;
        private final Collars collars;
        private final Map<Integer, Book> books = new HashMap<>();
        private int accepted;

        Shard(int ringSize, SubmissionPublisher<List<Trade>> feed, Collars collars) {
            this.ring = new ArrayBlockingQueue<>(ringSize);
            this.feed = feed;
            this.collars = collars;
        }

        @Override
        public void run() {
            try {
                List<Trade> outgoing = new ArrayList<>();
                for (Order order; (order = ring.take()) != CLOSE; ) {
                    int before = outgoing.size();
                    books.computeIfAbsent(order.instrument(), i -> new Book()).accept(order, outgoing);
                    if (outgoing.size() > before && (++accepted & 15) == 0) {
                        collars.moved(order.instrument(), outgoing.get(outgoing.size() - 1).price());
                    }
                    if (outgoing.size() >= 64) {
                        feed.submit(outgoing);           // blocks while a subscriber is a whole buffer behind
                        outgoing = new ArrayList<>();
                    }
                }
                feed.submit(outgoing);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** The printed tape, compressed on its way. Only ever called by one feed thread at a time. */
    static final class Tape {
        private final Deflater deflater = new Deflater(4);
        private final byte[] buffer = new byte[8192];
        private long compressed;
        private long trades;

        void print(List<Trade> batch) {
            StringBuilder text = new StringBuilder();
            for (Trade t : batch) {
                text.append(t.instrument()).append(',').append(t.maker()).append(',').append(t.taker()).append(',')
                    .append(t.price()).append(',').append(t.quantity()).append('\n');
            }
            trades += batch.size();
            deflater.setInput(text.toString().getBytes(StandardCharsets.US_ASCII));
            while (!deflater.needsInput()) {
                compressed += deflater.deflate(buffer);
            }
        }
    }

    /** The journal of a session: FIX like text, checksummed. */
    private static void replaySession(int session, int messages, Collars collars, Shard[] shards)
            throws InterruptedException {
        SplittableRandom random = new SplittableRandom(session * 7919L + 17);
        int[] mid = {10_000, 4_000, 25_000};
        CRC32 crc = new CRC32();
        for (int m = 0; m < messages; m++) {
            int which = random.nextInt(INSTRUMENTS_PER_SESSION);
            mid[which] += random.nextInt(7) - 3;
            String body = "8=FIX.4.4|35=D|49=SESS" + session + "|11=" + m + "|55=" + which
                    + "|54=" + (random.nextBoolean() ? 1 : 2) + "|44=" + (mid[which] + random.nextInt(41) - 20)
                    + "|38=" + (1 + random.nextInt(90)) + "|";
            crc.reset();
            crc.update(body.getBytes(StandardCharsets.US_ASCII));
            Order order = parse(session, body + "10=" + crc.getValue() % 256 + "|");
            if (collars.plausible(order.instrument(), order.price())) {
                shards[order.instrument() % shards.length].ring.put(order);
            }
        }
    }

    private static Order parse(int session, String message) {
        Map<Integer, String> fields = new HashMap<>();
        for (int at = 0; at < message.length(); ) {
            int equals = message.indexOf('=', at);
            int bar = message.indexOf('|', equals);
            fields.put(Integer.parseInt(message.substring(at, equals)), message.substring(equals + 1, bar));
            at = bar + 1;
        }
        return new Order(session * INSTRUMENTS_PER_SESSION + Integer.parseInt(fields.get(55)),
                (long) session << 32 | Long.parseLong(fields.get(11)), fields.get(54).equals("1"),
                Integer.parseInt(fields.get(44)), Integer.parseInt(fields.get(38)));
    }

    private static int arg(String[] args, int i, int fallback) {
        return args.length > i ? Integer.parseInt(args[i]) : fallback;
    }

    public static void main(String[] args) throws InterruptedException {
        int gateways = arg(args, 0, 3);
        int shardCount = arg(args, 1, 2);
        int sessions = arg(args, 2, 24);
        int messages = arg(args, 3, 4_500);
        Collars collars = new Collars();
        ExecutorService feedPool = Executors.newFixedThreadPool(2);
        SubmissionPublisher<List<Trade>> feed = new SubmissionPublisher<>(feedPool, arg(args, 5, 32));
        Tape tape = new Tape();
        Map<Integer, Long> volumes = new TreeMap<>();
        CompletableFuture<Void> printing = feed.consume(tape::print);
        CompletableFuture<Void> counting = feed.consume(batch ->
                batch.forEach(t -> volumes.merge(t.instrument(), (long) t.quantity(), Long::sum)));

        Shard[] shards = new Shard[shardCount];
        Thread[] engines = new Thread[shardCount];
        for (int s = 0; s < shardCount; s++) {
            shards[s] = new Shard(arg(args, 4, 1024), feed, collars);
            engines[s] = new Thread(shards[s], "engine-" + s);
            engines[s].start();
        }
        ExecutorService gatewayPool = Executors.newFixedThreadPool(gateways);
        for (int s = 0; s < sessions; s++) {
            int session = s;
            gatewayPool.submit(() -> {
                replaySession(session, messages, collars, shards);
                return null;
            });
        }
        gatewayPool.shutdown();
        gatewayPool.awaitTermination(1, TimeUnit.MINUTES);
        for (int s = 0; s < shardCount; s++) {
            shards[s].ring.put(CLOSE);
            engines[s].join();
        }
        feed.close();
        CompletableFuture.allOf(printing, counting).join();
        feedPool.shutdown();
        System.out.printf("%d messages, %d trades, volume %d, tape %d KiB%n", sessions * messages, tape.trades,
                volumes.values().stream().mapToLong(v -> v).sum(), tape.compressed >> 10);
    }
}
