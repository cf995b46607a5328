import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

/**
 * The small web server of Figure 1 in Tarvo &amp; Reiss (2014, §3): a loop that accepts connections, a bounded queue, and
 * a pool of threads that read a request, read the file, answer, and close. It serves a site that it generates: page 0 …
 * files − 1 of sizes spread around BYTES, at /page/N.html.
 *
 * <p>java -Dthreads=3 -Dport=8080 -Dqueue=128 -Dfiles=500 -Dbytes=32768 Tornado
 *
 * <p>WANT: 1 pool of THREADS threads that takes connections from 1 queue; requests enter by accept.
 */
public final class Tornado {
  private final Path root;
  private final BlockingQueue<Socket> pending;

  private Tornado(Path root, int capacity) {
    this.root = root;
    this.pending = new ArrayBlockingQueue<>(capacity);
  }

  public static void main(String[] args) throws Exception {
    Tornado server = new Tornado(Files.createTempDirectory("tornado-site-"), Integer.getInteger("queue", 128));
    server.generate(Integer.getInteger("files", 500), Integer.getInteger("bytes", 32 << 10));
    Runtime.getRuntime().addShutdownHook(new Thread(server::remove));
    int threads = Integer.getInteger("threads", 4);
    for (int i = 0; i < threads; i++) {
      Thread t = new Thread(server::work);
      t.setDaemon(true);
      t.start();
    }
    try (ServerSocket listener = new ServerSocket(Integer.getInteger("port", 8080), 1024, InetAddress.getLoopbackAddress())) {
      while (true) {
        server.pending.put(listener.accept());
      }
    }
  }

  /** What a thread of the pool does. */
  private void work() {
    while (true) {
      try (Socket s = pending.take()) {
        serve(s);
      } catch (IOException e) {
        // the client went away
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private void serve(Socket s) throws IOException {
    s.setSoTimeout(10_000);
    BufferedReader in = new BufferedReader(new InputStreamReader(s.getInputStream(), StandardCharsets.ISO_8859_1));
    String request = in.readLine();
    for (String line = request; line != null && !line.isEmpty(); ) {
      line = in.readLine();
    }
    String[] words = request == null ? new String[0] : request.split(" ");
    if (words.length < 2 || !words[0].equals("GET")) {
      answer(s, "400 Bad Request", new byte[0]);
      return;
    }
    Path file = root.resolve(Path.of("/").resolve(words[1]).normalize().toString().substring(1));
    if (!Files.isRegularFile(file)) {
      answer(s, "404 Not Found", new byte[0]);
      return;
    }
    answer(s, "200 OK", Files.readAllBytes(file));
  }

  private static void answer(Socket s, String status, byte[] body) throws IOException {
    String head = "HTTP/1.1 " + status + "\r\nContent-Type: text/html\r\nContent-Length: " + body.length + "\r\nConnection: close\r\n\r\n";
    OutputStream out = s.getOutputStream();
    out.write(head.getBytes(StandardCharsets.ISO_8859_1));
    out.write(body);
    out.flush();
  }

  private void generate(int files, int mean) throws IOException {
    SplittableRandom random = new SplittableRandom(1);
    Path folder = Files.createDirectory(root.resolve("page"));
    for (int i = 0; i < files; i++) {
      StringBuilder page = new StringBuilder();
      for (int length = mean / 2 + random.nextInt(mean); page.length() < length; ) {
        page.append(String.format("<p>%016x</p>%n", random.nextLong()));
      }
      Files.writeString(folder.resolve(i + ".html"), page);
    }
  }

  private void remove() {
    try (var all = Files.walk(root)) {
      all.sorted((a, b) -> b.compareTo(a)).forEach(p -> p.toFile().delete());
    } catch (IOException e) {
      System.err.println("tornado: " + e);
    }
  }
}
