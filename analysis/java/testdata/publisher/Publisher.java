import java.util.concurrent.*;

/** Two subscribers take what is published, by tasks that the publisher gives an executor. */
public class Publisher {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        SubmissionPublisher<Integer> feed = new SubmissionPublisher<>(pool, 16);
        long[] sums = new long[2];
        CompletableFuture<Void> one = feed.consume(i -> sums[0] += i), two = feed.consume(i -> sums[1] += i);
        for (int i = 0; i < 50; i++) {
            feed.submit(i);
            if (i % 10 == 9) Thread.sleep(5);
        }
        feed.close();
        one.join();
        two.join();
        pool.shutdown();
        pool.awaitTermination(1, TimeUnit.MINUTES);
        System.out.println(sums[0] + sums[1]);
    }
}
