import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/** Mail renders letters in a bounded executor; who cannot hand one over renders it himself. */
public class Mail {
    static final List<String> archive = new ArrayList<>();

    public static void main(String[] args) throws Exception {
        int threads = Integer.getInteger("threads", 2);
        int letters = Integer.getInteger("letters", 900);
        int backlog = Integer.getInteger("backlog", 10);
        ThreadPoolExecutor pool = new ThreadPoolExecutor(threads, threads, 1, TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(backlog), new ThreadPoolExecutor.CallerRunsPolicy());
        for (int i = 0; i < letters; i++) {
            final int id = i;
            String address = lookup(id);
            pool.execute(() -> {
                String letter = render(id, address);
                synchronized (archive) {
                    archive.add(letter);
                }
            });
        }
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(archive.size() + " letters");
    }

    static String lookup(int id) {
        long x = id;
        for (int i = 0; i < 20_000; i++) {
            x = x * 6364136223846793005L + 1442695040888963407L;
        }
        return Long.toHexString(x);
    }

    static String render(int id, String address) {
        try {
            MessageDigest d = MessageDigest.getInstance("SHA-256");
            byte[] b = address.getBytes();
            for (int i = 0; i < 1500; i++) {
                b = d.digest(b);
            }
            StringBuilder s = new StringBuilder();
            for (int i = 0; i < 200; i++) {
                s.append(b[i % b.length]).append(',');
            }
            return s.toString();
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
