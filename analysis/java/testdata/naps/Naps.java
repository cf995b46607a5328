import java.util.concurrent.TimeUnit;

/** A thread that sleeps in every way there is, each eight times. */
public class Naps {
    public static void main(String[] args) throws InterruptedException {
        for (int i = 0; i < 8; i++) {
            TimeUnit.MICROSECONDS.sleep(800);
            TimeUnit.MILLISECONDS.sleep(2);
            Thread.sleep(3);
            Thread.sleep(1, 500_000);
        }
    }
}
