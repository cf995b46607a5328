import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** Extracts rows, transforms them with several threads, and loads them in batches. Settings are in a properties file. */
public final class Etl {
    private record Row(int id, String text) {}

    private record Clean(int id, long hash, int words) {}

    private static final Row LAST = new Row(-1, "");
    private static final Clean END = new Clean(-1, 0, 0);

    private final int transformers;
    private final int rows;
    private final int length;
    private final int batch;
    private final BlockingQueue<Row> extracted;
    private final BlockingQueue<Clean> transformed;

    Etl(Properties p) {
        transformers = Integer.parseInt(p.getProperty("transformers", "2"));
        rows = Integer.parseInt(p.getProperty("rows", "4000"));
        length = Integer.parseInt(p.getProperty("length", "2000"));
        batch = Integer.parseInt(p.getProperty("batch", "100"));
        int queue = Integer.parseInt(p.getProperty("queue", "50"));
        extracted = new LinkedBlockingQueue<>(queue);
        transformed = new LinkedBlockingQueue<>(queue);
    }

    private final class Transformer extends Thread {
        Transformer(int i) {
            super("transformer-" + i);
        }

        @Override
        public void run() {
            try {
                for (Row r = extracted.take(); r != LAST; r = extracted.take()) {
                    transformed.put(clean(r));
                }
                extracted.put(LAST);
                transformed.put(END);
            } catch (InterruptedException e) {
                interrupt();
            }
        }

        private Clean clean(Row r) {
            Map<String, Integer> counts = new HashMap<>();
            for (String w : r.text().toLowerCase().split("[^a-z]+")) {
                counts.merge(w, 1, Integer::sum);
            }
            long h = 7;
            for (Map.Entry<String, Integer> e : counts.entrySet()) {
                h = h * 31 + e.getKey().hashCode() * (long) e.getValue();
            }
            return new Clean(r.id(), h, counts.size());
        }
    }

    private String text(Random random) {
        StringBuilder b = new StringBuilder(length);
        while (b.length() < length) {
            for (int i = 2 + random.nextInt(6); i > 0; i--) {
                b.append((char) ('a' + random.nextInt(26)));
            }
            b.append(' ');
        }
        return b.toString();
    }

    long run() throws InterruptedException {
        Thread extractor = new Thread(() -> {
            Random random = new Random(3);
            String[] pages = new String[64];
            for (int i = 0; i < pages.length; i++) {
                pages[i] = text(random);
            }
            try {
                for (int i = 0; i < rows; i++) {
                    extracted.put(new Row(i, pages[i % pages.length]));
                }
                extracted.put(LAST);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }, "extractor");
        List<Thread> threads = new ArrayList<>();
        threads.add(extractor);
        for (int i = 0; i < transformers; i++) {
            threads.add(new Transformer(i));
        }
        threads.forEach(Thread::start);
        long sum = 0;
        List<Clean> pending = new ArrayList<>();
        for (int open = transformers; open > 0;) {
            Clean c = transformed.take();
            if (c == END) {
                open--;
            } else {
                pending.add(c);
            }
            if (pending.size() >= batch || open == 0) {
                sum += load(pending);
                pending.clear();
            }
        }
        for (Thread t : threads) {
            t.join();
        }
        return sum;
    }

    private long load(List<Clean> rows) throws InterruptedException {
        Thread.sleep(2); // a round trip to the database
        long s = 0;
        for (Clean c : rows) {
            s ^= c.hash() + c.words();
        }
        return s;
    }

    public static void main(String[] args) throws IOException, InterruptedException {
        Properties p = new Properties();
        if (args.length > 0) {
            try (Reader r = Files.newBufferedReader(Path.of(args[0]))) {
                p.load(r);
            }
        }
        System.out.println(new Etl(p).run());
    }
}
