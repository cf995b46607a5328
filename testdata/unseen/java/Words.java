import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** A web service that counts the words of texts that it makes up: GET /count?seed=N. */
public final class Words {
  private final int words;
  private long answered;

  private Words(int words) {
    this.words = words;
  }

  private synchronized long count() {
    return ++answered;
  }

  private byte[] answer(String query) {
    long seed = query == null ? 0 : query.hashCode();
    Random random = new Random(seed);
    Map<String, Integer> counts = new TreeMap<>();
    for (int i = 0; i < words; i++) {
      counts.merge("word" + (int) Math.abs(random.nextGaussian() * 100), 1, Integer::sum);
    }
    StringBuilder b = new StringBuilder();
    counts.forEach((w, n) -> b.append(w).append(' ').append(n).append('\n'));
    return b.toString().getBytes(StandardCharsets.UTF_8);
  }

  private void handle(HttpExchange exchange) throws IOException {
    byte[] body = answer(exchange.getRequestURI().getQuery());
    exchange.getResponseHeaders().set("X-Answer", Long.toString(count()));
    exchange.sendResponseHeaders(200, body.length);
    try (OutputStream out = exchange.getResponseBody()) {
      out.write(body);
    }
  }

  public static void main(String[] args) throws IOException {
    int threads = Integer.getInteger("threads", 3);
    int port = Integer.getInteger("port", 8084);
    Words service = new Words(Integer.getInteger("words", 5000));
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", port), 100);
    server.createContext("/count", service::handle);
    server.setExecutor(pool);
    Runtime.getRuntime().addShutdownHook(new Thread(() -> {
      server.stop(0);
      pool.shutdown();
    }));
    server.start();
  }
}
