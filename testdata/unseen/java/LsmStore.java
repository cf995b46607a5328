import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.zip.CRC32;
import java.util.zip.Deflater;

/**
 * The write path of a log structured merge store. Writers join a group commit (the first in line leads: it
 * writes the log and the memtable for all those waiting, syncs once and wakes them). Full memtables go to a flusher;
 * a compaction thread merges runs by key ranges. Writers stall when either of the two is too far behind.
 *
 * Arguments: [writers [subcompactions [batches [batchSize [maxImmutable]]]]]
 */
public class LsmStore {
    private static final int MEMTABLE_ENTRIES = 6_000, COMPACT_AT = 4, STALL_AT = 8;

    static final class WriteRequest {
        final long[] keys;
        final byte[] encoded;
        final Condition turn;
        boolean durable;

        WriteRequest(long[] keys, Condition turn) {
            this.keys = keys;
            this.encoded = encode(keys);
            this.turn = turn;
        }
    }

    record Run(long[] keys, int compressedBytes) { }

    private final ReentrantLock mutex = new ReentrantLock();
    private final Condition room = mutex.newCondition(), flushWork = mutex.newCondition(),
            compactWork = mutex.newCondition();
    private final Deque<WriteRequest> commitQueue = new ArrayDeque<>();
    private final Deque<TreeMap<Long, Integer>> immutables = new ArrayDeque<>();
    private final List<Run> runs = new ArrayList<>();
    private TreeMap<Long, Integer> active = new TreeMap<>();
    private final CRC32 logChecksum = new CRC32();
    private final int maxImmutable, subcompactions;
    private final ExecutorService subcompactionPool;
    private boolean closing, flusherDone;
    private int stalls, compactions;

    LsmStore(int maxImmutable, int subcompactions) {
        this.maxImmutable = maxImmutable;
        this.subcompactions = subcompactions;
        this.subcompactionPool = Executors.newFixedThreadPool(subcompactions);
    }

    void write(long[] keys) throws InterruptedException {
        WriteRequest request = new WriteRequest(keys, mutex.newCondition());
        mutex.lock();
        try {
            commitQueue.addLast(request);
            while (!request.durable && commitQueue.peekFirst() != request) {
                request.turn.await();
            }
            if (!request.durable) {
                lead();                            // the others' turn comes with their group or after this one
            }
        } finally {
            mutex.unlock();
        }
    }

    /** Called with the mutex held, by the request at the head of the queue. */
    private void lead() throws InterruptedException {
        if (active.size() >= MEMTABLE_ENTRIES) {
            while (immutables.size() >= maxImmutable || runs.size() >= STALL_AT) {
                stalls++;
                room.await();
            }
            seal();
        }
        List<WriteRequest> group = new ArrayList<>(commitQueue);
        mutex.unlock();
        for (WriteRequest member : group) {
            logChecksum.update(member.encoded);
            for (long key : member.keys) {
                active.put(key, (int) (key ^ key >>> 32));
            }
        }
        Thread.sleep(1);                           // fsync of the log
        mutex.lock();
        for (WriteRequest member : group) {
            commitQueue.removeFirst();
            member.durable = true;
            member.turn.signal();
        }
        WriteRequest next = commitQueue.peekFirst();
        if (next != null) {
            next.turn.signal();
        }
    }

    private void seal() {
        immutables.addLast(active);
        active = new TreeMap<>();
        flushWork.signal();
    }

    private Void flushLoop() throws InterruptedException {
        mutex.lock();
        while (true) {
            while (immutables.isEmpty() && !closing) {
                flushWork.await();
            }
            TreeMap<Long, Integer> table = immutables.peekFirst();
            if (table == null) {
                break;
            }
            mutex.unlock();
            Run run = buildRun(table.keySet().stream().mapToLong(Long::longValue).toArray());
            mutex.lock();
            immutables.removeFirst();
            runs.add(run);
            room.signalAll();
            compactWork.signal();
        }
        flusherDone = true;
        compactWork.signal();
        mutex.unlock();
        return null;
    }

    private Void compactLoop() throws InterruptedException, ExecutionException {
        mutex.lock();
        while (true) {
            while (runs.size() < COMPACT_AT && !flusherDone) {
                compactWork.await();
            }
            if (runs.size() < 2) {
                break;
            }
            List<Run> inputs = List.copyOf(runs.subList(0, Math.min(COMPACT_AT, runs.size())));
            mutex.unlock();
            Run merged = compact(inputs);
            mutex.lock();
            runs.subList(0, inputs.size()).clear();
            runs.add(merged);
            compactions++;
            room.signalAll();
        }
        mutex.unlock();
        return null;
    }

    private Run compact(List<Run> inputs) throws InterruptedException, ExecutionException {
        long width = Long.divideUnsigned(-1L, subcompactions);
        List<Callable<Run>> parts = new ArrayList<>();
        for (int p = 0; p < subcompactions; p++) {
            long low = Long.MIN_VALUE + width * p;
            long high = p == subcompactions - 1 ? Long.MAX_VALUE : low + width - 1;
            parts.add(() -> mergeRange(inputs, low, high));
        }
        List<Run> merged = new ArrayList<>();
        for (Future<Run> part : subcompactionPool.invokeAll(parts)) {
            merged.add(part.get());
        }
        return new Run(merged.stream().flatMapToLong(run -> Arrays.stream(run.keys())).toArray(),
                merged.stream().mapToInt(Run::compressedBytes).sum());
    }

    private static Run mergeRange(List<Run> inputs, long low, long high) {
        return buildRun(inputs.stream().flatMapToLong(run -> Arrays.stream(run.keys()))
                .filter(key -> key >= low && key <= high).sorted().toArray());
    }

    private static Run buildRun(long[] sortedKeys) {
        byte[] plain = encode(sortedKeys);
        byte[] block = new byte[4096];
        Deflater deflater = new Deflater(Deflater.BEST_SPEED);
        deflater.setInput(plain);
        deflater.finish();
        int compressed = 0;
        while (!deflater.finished()) {
            compressed += deflater.deflate(block);
        }
        deflater.end();
        return new Run(sortedKeys, compressed);
    }

    private static byte[] encode(long[] keys) {
        StringBuilder text = new StringBuilder(keys.length * 24);
        for (long key : keys) {
            text.append("user:").append(Long.toHexString(key)).append('=').append(key & 0xff).append('\n');
        }
        return text.toString().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1);
    }

    private static Thread start(Callable<?> body) {
        Thread thread = new Thread(new FutureTask<>(body));
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws InterruptedException {
        int[] knobs = {4, 2, 900, 150, 2};
        for (int i = 0; i < args.length; i++) {
            knobs[i] = Integer.parseInt(args[i]);
        }
        LsmStore store = new LsmStore(knobs[4], knobs[1]);
        Thread flusher = start(store::flushLoop);
        Thread compactor = start(store::compactLoop);
        AtomicInteger nextBatch = new AtomicInteger();
        List<Thread> writers = new ArrayList<>();
        for (int w = 0; w < knobs[0]; w++) {
            writers.add(start(() -> {
                for (int b; (b = nextBatch.getAndIncrement()) < knobs[2]; ) {
                    store.write(new SplittableRandom(b).longs(knobs[3]).toArray());
                }
                return null;
            }));
        }
        for (Thread writer : writers) {
            writer.join();
        }
        store.mutex.lock();
        store.closing = true;
        store.seal();
        store.mutex.unlock();
        flusher.join();
        compactor.join();
        store.subcompactionPool.shutdown();
        Run last = store.runs.get(0);
        System.out.printf("%d entries, %d compressed bytes, %d compactions, %d stalls%n", last.keys().length,
                last.compressedBytes(), store.compactions, store.stalls);
    }
}
