package tierscope;

import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Records the values that the program's variables had when it created its first thread, and what its threads did in
 * the bodies that they run: {@link #set} is called with what is assigned, {@link #starting} before a thread is created or
 * given a task, {@link #enter} and {@link #leave} around bodies, {@link #iterated} and {@link #called} in loops and methods of the
 * classes that count.
 *
 * <p>When the JVM ends, lines go to the file: "v SITE ASSIGNMENTS VALUE" for a variable, "t KIND THREADS SOURCE NAME=VALUE …"
 * for a thread and the bodies of a kind that it ran.
 */
public final class Threads {
  private static final int SITES = 1 << 16;

  private static final long[] assignments = new long[SITES];
  private static final double[] values = new double[SITES];
  private static volatile boolean stopped;
  private static boolean counting;
  private static Thread main;

  private static final com.sun.management.ThreadMXBean clocks =
      (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();

  /** What a thread did in bodies of a kind. */
  private static final class Work {
    final int kind;
    long wall;
    long cpu;
    long wait;
    long allocated;
    long iterations;
    long calls;

    Work(int kind) {
      this.kind = kind;
    }
  }

  /** A thread. */
  private static final class State {
    final Map<Integer, Work> work = new HashMap<>();
    final RandomAccessFile schedule = open();
    final byte[] text = new byte[64];
    int depth; // of bodies in each other: the outermost counts
    boolean inside;
    long iterations;
    long calls;
    // when the body began
    long wall;
    long cpu;
    long wait;
    long allocated;

    private static RandomAccessFile open() {
      try {
        return new RandomAccessFile("/proc/thread-self/schedstat", "r");
      } catch (Exception e) {
        return null; // no Linux: nothing is known of the time that it waited for a core
      }
    }

    /** The ns that the thread waited for a core. */
    long waited() {
      if (schedule == null) {
        return 0;
      }
      try {
        schedule.seek(0);
        int n = schedule.read(text);
        String[] words = new String(text, 0, Math.max(n, 0), StandardCharsets.US_ASCII).split(" ");
        return words.length > 1 ? Long.parseLong(words[1].trim()) : 0;
      } catch (Exception e) {
        return 0;
      }
    }
  }

  private static final List<State> all = new ArrayList<>();
  private static final ThreadLocal<State> states = ThreadLocal.withInitial(Threads::state);

  private Threads() {}

  private static State state() {
    State s = new State();
    synchronized (all) {
      all.add(s);
    }
    return s;
  }

  static void open(String file, boolean count) {
    counting = count;
    main = Thread.currentThread();
    clocks.getCurrentThreadCpuTime(); // what it needs is loaded before the program begins
    clocks.getThreadAllocatedBytes(main.getId());
    Runtime.getRuntime().addShutdownHook(new Thread(() -> write(file), "tierscope threads"));
  }

  /** A variable was assigned a value. */
  public static void set(double value, int site) {
    if (!stopped) {
      synchronized (values) {
        assignments[site]++;
        values[site] = value;
      }
    }
  }

  /** A thread is about to be created, or to be given work. */
  public static void starting() {
    stopped = true;
  }

  /** Begins a body. */
  public static void enter(int kind) {
    if (Thread.currentThread() == main) {
      return; // a body that the main thread runs is no thread
    }
    stopped = true;
    State s = states.get();
    if (s.depth++ > 0) {
      return;
    }
    s.inside = true;
    s.iterations = 0;
    s.calls = 0;
    s.wait = s.waited();
    s.allocated = clocks.getThreadAllocatedBytes(Thread.currentThread().getId());
    s.cpu = clocks.getCurrentThreadCpuTime();
    s.wall = System.nanoTime();
  }

  /** Ends one. */
  public static void leave(int kind) {
    if (Thread.currentThread() == main) {
      return;
    }
    State s = states.get();
    if (--s.depth > 0) {
      return;
    }
    long wall = System.nanoTime() - s.wall;
    long cpu = clocks.getCurrentThreadCpuTime() - s.cpu;
    long allocated = clocks.getThreadAllocatedBytes(Thread.currentThread().getId()) - s.allocated;
    long wait = s.waited() - s.wait;
    s.inside = false;
    synchronized (all) {
      Work w = s.work.computeIfAbsent(kind, Work::new);
      w.wall += wall;
      w.cpu += cpu;
      w.wait += wait;
      w.allocated += allocated;
      w.iterations += s.iterations;
      w.calls += s.calls;
    }
  }

  /** A loop goes back to its beginning. */
  public static void iterated() {
    State s = states.get();
    if (s.inside) {
      s.iterations++;
    }
  }

  /** A method begins. */
  public static void called() {
    State s = states.get();
    if (s.inside) {
      s.calls++;
    }
  }

  private static void write(String file) {
    StringBuilder b = new StringBuilder();
    synchronized (values) {
      for (int k = 0; k < SITES; k++) {
        if (assignments[k] > 0 && !Double.isNaN(values[k]) && !Double.isInfinite(values[k])) {
          b.append("v ").append(k).append(' ').append(assignments[k]).append(' ').append(values[k]).append('\n');
        }
      }
    }
    synchronized (all) {
      Map<Integer, Integer> threads = new HashMap<>();
      for (State s : all) {
        for (int kind : s.work.keySet()) {
          threads.merge(kind, 1, Integer::sum);
        }
      }
      for (State s : all) {
        for (Work w : s.work.values()) {
          b.append("t ").append(w.kind).append(' ').append(threads.get(w.kind));
          if (counting) {
            behaviour(b, "counted", "loop_iterations", w.iterations);
            behaviour(b, "counted", "calls", w.calls);
          } else {
            behaviour(b, "clock", "wall_s", w.wall / 1e9);
            behaviour(b, "clock", "cpu_s", w.cpu / 1e9);
            behaviour(b, "clock", "sync_s", Math.max(0, w.wall - w.cpu - w.wait) / 1e9);
            behaviour(b, "JVM", "allocated_bytes", w.allocated);
          }
          b.append('\n');
        }
      }
    }
    try (PrintWriter out = new PrintWriter(file, "UTF-8")) {
      out.print(b);
      out.print("end\n");
    } catch (Exception e) {
      Log.trouble("what threads did was not written", e);
    }
  }

  private static void behaviour(StringBuilder b, String source, String name, double value) {
    b.append(' ').append(source).append(' ').append(name).append('=').append(value);
  }
}
