import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.util.concurrent.CompletionService;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.zip.CRC32;
import java.util.zip.DeflaterOutputStream;

/** Makes small pictures of large ones in a pool, and stores each as soon as it is ready. */
public final class Thumbnails {
  private static byte[] shrink(int id, int edge) throws Exception {
    BufferedImage large = new BufferedImage(edge, edge, BufferedImage.TYPE_INT_RGB);
    for (int y = 0; y < edge; y++) {
      for (int x = 0; x < edge; x++) {
        large.setRGB(x, y, (x * id) ^ (y << 8));
      }
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (DeflaterOutputStream packed = new DeflaterOutputStream(out)) {
      for (int y = 0; y + 4 <= edge; y += 4) {
        for (int x = 0; x + 4 <= edge; x += 4) {
          int sum = 0;
          for (int i = 0; i < 16; i++) {
            sum += large.getRGB(x + i % 4, y + i / 4) & 0xff;
          }
          packed.write(sum / 16);
        }
      }
    }
    return out.toByteArray();
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.getInteger("threads", 3);
    int pictures = Integer.getInteger("pictures", 300);
    int edge = Integer.getInteger("edge", 300);
    System.setProperty("java.awt.headless", "true");

    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CompletionService<byte[]> ready = new ExecutorCompletionService<>(pool);
    for (int i = 0; i < pictures; i++) {
      int id = i;
      ready.submit(() -> shrink(id, edge));
    }
    CRC32 sum = new CRC32();
    long bytes = 0;
    for (int i = 0; i < pictures; i++) {
      byte[] data = ready.take().get();
      sum.update(data);
      bytes += data.length;
    }
    pool.shutdown();
    System.out.println(bytes + " bytes");
  }
}
