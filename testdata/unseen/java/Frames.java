import java.util.*;
import java.util.concurrent.*;

/** Renders tiles on a pool, invokeAll per frame: java Frames THREADS FRAMES */
public class Frames {
    static int pixel(double x, double y) {
        double a = 0, b = 0;
        int i = 0;
        while (i < 300 && a * a + b * b < 4) {
            double t = a * a - b * b + x;
            b = 2 * a * b + y;
            a = t;
            i++;
        }
        return i;
    }

    public static void main(String[] args) throws Exception {
        int threads = args.length > 0 ? Integer.parseInt(args[0]) : 2;
        int frames = args.length > 1 ? Integer.parseInt(args[1]) : 20;
        ExecutorService pool = Executors.newFixedThreadPool(threads);
        long sum = 0;
        for (int f = 0; f < frames; f++) {
            double zoom = 1 + f * 0.1;
            List<Callable<Long>> tiles = new ArrayList<>();
            for (int t = 0; t < 16; t++) {
                int row = t * 16;
                tiles.add(() -> {
                    long s = 0;
                    for (int y = row; y < row + 16; y++)
                        for (int x = 0; x < 256; x++) s += pixel((x - 160) / (100.0 * zoom), (y - 128) / (100.0 * zoom));
                    return s;
                });
            }
            for (Future<Long> r : pool.invokeAll(tiles)) sum += r.get();
        }
        pool.shutdown();
        System.out.println(sum);
    }
}
