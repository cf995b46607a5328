import java.util.*;
import java.util.concurrent.*;
import java.util.concurrent.atomic.*;

/** Makes an inverted index of generated documents: threads take them from a counter. */
public class Index {
    static final int DOCS = 600;
    static String document(int n) {
        Random r = new Random(n);
        StringBuilder b = new StringBuilder();
        for (int i = 0; i < 2500; i++) {
            int w = (int) Math.abs(r.nextGaussian() * 400);
            b.append("word").append(Integer.toString(w, 36));
            b.append(i % 17 == 16 ? ". " : i % 11 == 10 ? ", " : " ");
        }
        return b.toString();
    }
    static String stem(String w) {
        String s = w.toLowerCase();
        while (s.length() > 3 && !Character.isLetterOrDigit(s.charAt(s.length() - 1))) s = s.substring(0, s.length() - 1);
        return s.endsWith("ing") ? s.substring(0, s.length() - 3) : s.endsWith("s") ? s.substring(0, s.length() - 1) : s;
    }
    static Map<String, List<Integer>> index(int doc) {
        Map<String, List<Integer>> m = new TreeMap<>();
        int at = 0;
        for (String w : document(doc).split("[ ,.]+")) m.computeIfAbsent(stem(w), k -> new ArrayList<>()).add(at++);
        return m;
    }
    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 4);
        AtomicInteger next = new AtomicInteger();
        Map<String, Long> total = new HashMap<>();
        Object lock = new Object();
        Thread[] ts = new Thread[threads];
        for (int t = 0; t < threads; t++) {
            ts[t] = new Thread(() -> {
                for (int d; (d = next.getAndIncrement()) < DOCS; ) {
                    Map<String, List<Integer>> m = index(d);
                    synchronized (lock) {
                        for (Map.Entry<String, List<Integer>> e : m.entrySet()) total.merge(e.getKey(), (long) e.getValue().size(), Long::sum);
                    }
                }
            });
            ts[t].start();
        }
        for (Thread t : ts) t.join();
        System.out.println(total.size());
    }
}
