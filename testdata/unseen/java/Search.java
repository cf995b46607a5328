import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;
import java.util.stream.*;

/** Scatter and gather: each query goes to all shards on a pool, the coordinator joins the answers; some users ask at a time. */
public class Search {
    static final int USERS = Integer.getInteger("users", 4);
    static final int THREADS = Integer.getInteger("threads", 3);
    static final int SHARDS = Integer.getInteger("shards", 6);
    static final int QUERIES = Integer.getInteger("queries", 900);
    static final int DOCS = Integer.getInteger("docs", 6000);

    static int[][] shards;

    static long scan(int shard, int q) {
        long best = 0;
        int[] docs = shards[shard];
        for (int d = 0; d < docs.length; d++) {
            long s = docs[d] ^ q;
            for (int k = 0; k < 12; k++) s = s * 31 + (s >>> 7);
            if ((s & 0xffff) > (best & 0xffff)) best = s;
        }
        return best;
    }

    public static void main(String[] args) throws Exception {
        Random random = new Random(7);
        shards = new int[SHARDS][];
        for (int i = 0; i < SHARDS; i++) shards[i] = random.ints(DOCS + i * DOCS / 10).toArray();
        ExecutorService pool = Executors.newFixedThreadPool(THREADS);
        AtomicInteger next = new AtomicInteger();
        AtomicLong total = new AtomicLong();
        List<Thread> users = new ArrayList<>();
        for (int u = 0; u < USERS; u++) {
            Thread t = new Thread(() -> {
                for (int q; (q = next.getAndIncrement()) < QUERIES; ) {
                    final int query = q;
                    List<CompletableFuture<Long>> parts = IntStream.range(0, SHARDS)
                        .mapToObj(s -> CompletableFuture.supplyAsync(() -> scan(s, query), pool)).toList();
                    CompletableFuture<Long> all = CompletableFuture.allOf(parts.toArray(CompletableFuture[]::new))
                        .thenApply(v -> parts.stream().mapToLong(CompletableFuture::join).max().orElse(0));
                    total.addAndGet(all.join());
                }
            });
            t.start();
            users.add(t);
        }
        for (Thread t : users) t.join();
        pool.shutdown();
        System.out.println(total.get());
    }
}
