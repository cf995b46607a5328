package tierscope;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * Looks at the stacks of all threads again and again. The file has a line for the main thread ("main", id), every new stack ("stack", number,
 * frames), every new thread ("thread", id, name, nanoseconds) and every look ("look", then thread=stack pairs).
 */
final class Sampler implements Runnable {
  private final Map<String, Integer> stacks = new HashMap<>();
  private final Map<Long, String> threads = new HashMap<>();
  private final FileOutputStream out;
  private final long interval;

  private Sampler(String file, long interval) throws IOException {
    this.out = new FileOutputStream(file);
    this.interval = interval;
  }

  static void start(String file, long intervalMs) throws IOException {
    Sampler sampler = new Sampler(file, intervalMs);
    sampler.out.write(("main\t" + Thread.currentThread().getId() + "\n").getBytes(StandardCharsets.UTF_8));
    Thread t = new Thread(sampler, "tierscope sampler");
    t.setDaemon(true);
    t.start();
  }

  @Override
  public void run() {
    try {
      while (true) {
        Thread.sleep(interval);
        look();
      }
    } catch (Throwable t) {
      Log.trouble("sampling stopped", t);
    }
  }

  private void look() throws IOException {
    StringBuilder fresh = new StringBuilder();
    StringBuilder seen = new StringBuilder("look");
    for (Map.Entry<Thread, StackTraceElement[]> e : Thread.getAllStackTraces().entrySet()) {
      Thread t = e.getKey();
      if (t == Thread.currentThread() || e.getValue().length == 0) {
        continue;
      }
      if (threads.putIfAbsent(t.getId(), t.getName()) == null) {
        fresh.append("thread\t").append(t.getId()).append('\t').append(t.getName().replace('\t', ' ').replace('\n', ' '));
        fresh.append('\t').append(System.nanoTime()).append('\n');
      }
      seen.append('\t').append(t.getId()).append('=').append(number(e.getValue(), fresh));
    }
    out.write(fresh.append(seen).append('\n').toString().getBytes(StandardCharsets.UTF_8));
  }

  private int number(StackTraceElement[] stack, StringBuilder fresh) {
    StringBuilder b = new StringBuilder();
    for (StackTraceElement f : stack) {
      if (b.length() > 0) {
        b.append('|');
      }
      Log.frame(b, f);
    }
    String key = b.toString();
    Integer n = stacks.get(key);
    if (n == null) {
      n = stacks.size();
      stacks.put(key, n);
      fresh.append("stack\t").append(n).append('\t').append(key).append('\n');
    }
    return n;
  }
}
