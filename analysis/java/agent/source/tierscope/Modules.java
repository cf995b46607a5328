package tierscope;

import java.io.RandomAccessFile;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Measures and delays modules, which are methods: they call {@link #enter} first and {@link #leave} last, whatever ends
 * them, {@link #acquired} behind what acquires a lock and {@link #released} before what releases it.
 *
 * <p>What to delay, and what was seen, is in a file that the tool maps too, in words of 8 bytes:
 *
 * <pre>
 * header  8        watch, net, kind of delays (0 sleep, 1 busy, 2 memory), bytes that these touch, modules with places
 * modules 4096×72  executions, ns, ns delayed, ns to delay by, number of places, 3 unused, places
 * locks   8192×5   module + 1, site + 1, 0, acquisitions, ns held
 * objects 8192×5   module + 1, site + 1, object, acquisitions, ns held
 * </pre>
 */
public final class Modules {
  private static final int WORD = 8;
  private static final int HEADER = 8 * WORD;
  private static final int MODULE = 72 * WORD;
  private static final int MODULES = 4096;
  private static final int ENTRY = 5 * WORD;
  private static final int ENTRIES = 8192;
  private static final int LOCKS = HEADER + MODULES * MODULE;
  private static final int OBJECTS = LOCKS + ENTRIES * ENTRY;
  private static final int ALL = OBJECTS + ENTRIES * ENTRY;
  private static final int TRIES = 64; // where a table is full, enough is known
  private static final int LINE = 64; // bytes of a cache line

  private static final VarHandle LONGS =
      MethodHandles.byteBufferViewVarHandle(long[].class, ByteOrder.nativeOrder());

  /** An execution of a module. */
  private static final class Execution {
    final Execution above;
    final int module;
    final long began;
    long place = -1; // site behind which it is to be delayed, -1: none any more
    long delayed; // ns, itself and in what it calls
    Map<Object, Held> held; // while the tool watches: locks that are not released

    Execution(Execution above, int module) {
      this.above = above;
      this.module = module;
      this.began = System.nanoTime();
    }
  }

  /** A lock that an execution holds. */
  private static final class Held {
    final Object lock;
    final int site;
    final long since = System.nanoTime();
    int times = 1;

    Held(Object lock, int site) {
      this.lock = lock;
      this.site = site;
    }
  }

  private static ByteBuffer file;
  private static boolean watch;
  private static boolean net;
  private static long kind;
  private static int touch;

  private static final ThreadLocal<Execution[]> running = ThreadLocal.withInitial(() -> new Execution[1]);
  private static final ThreadLocal<byte[]> area = ThreadLocal.withInitial(() -> new byte[touch]);

  private Modules() {}

  static void open(String name) throws Exception {
    try (RandomAccessFile f = new RandomAccessFile(name, "rw")) {
      file = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, ALL);
    }
    watch = get(0) != 0;
    net = get(WORD) != 0;
    kind = get(2 * WORD);
    touch = (int) get(3 * WORD);
  }

  private static long get(int at) {
    return (long) LONGS.get(file, at);
  }

  private static long add(int at, long by) {
    return (long) LONGS.getAndAdd(file, at, by);
  }

  /** Begins an execution. */
  public static void enter(int module) {
    int at = HEADER + module * MODULE;
    Execution[] top = running.get();
    Execution e = new Execution(top[0], module);
    top[0] = e;
    long delay = get(at + 3 * WORD);
    if (delay <= 0) {
      return;
    }
    long places = get(at + 4 * WORD);
    if (places == 0) {
      delay(e, e);
      return;
    }
    for (Execution above = e.above; above != null; above = above.above) {
      if (above.module == module) {
        return; // a recursive call is part of the outermost
      }
    }
    e.place = get(at + (8 + (int) (get(at) % places)) * WORD);
  }

  /** Ends one. */
  public static void leave(int module) {
    Execution[] top = running.get();
    Execution e = top[0];
    if (e == null) {
      return;
    }
    long spent = System.nanoTime() - e.began;
    top[0] = e.above;
    if (e.above != null) {
      e.above.delayed += e.delayed;
    }
    if (e.held != null) { // what it did not release itself it held to its end
      for (Held h : e.held.values()) {
        count(e, h);
      }
    }
    int at = HEADER + module * MODULE;
    add(at, 1);
    add(at + WORD, net ? spent - e.delayed : spent);
  }

  /** Prolongs an execution as the tool has asked, while another, which it called, is the innermost. */
  private static void delay(Execution e, Execution innermost) {
    int at = HEADER + e.module * MODULE;
    long delay = get(at + 3 * WORD);
    long began = System.nanoTime();
    long end = began + delay;
    if (kind == 2) {
      byte[] bytes = area.get();
      for (int k = 0; System.nanoTime() < end; ) {
        for (int lines = 0; lines < 256; lines++, k = (k + LINE) % bytes.length) {
          bytes[k]++;
        }
      }
    } else if (kind == 1 || delay < 1_000_000) {
      while (System.nanoTime() < end) {
        Thread.onSpinWait();
      }
    } else {
      try {
        Thread.sleep(delay / 1_000_000, (int) (delay % 1_000_000));
      } catch (InterruptedException interrupted) {
        Thread.currentThread().interrupt();
      }
    }
    long took = System.nanoTime() - began;
    innermost.delayed += took;
    add(at + 2 * WORD, took);
  }

  /** A lock was acquired at a site. */
  public static void acquired(Object lock, int site) {
    Execution innermost = running.get()[0];
    for (Execution e = innermost; e != null; e = e.above) {
      if (watch) {
        hold(e, lock, site);
      } else if (e.place == site) {
        e.place = -1;
        delay(e, innermost);
        return;
      }
    }
  }

  private static void hold(Execution e, Object lock, int site) {
    if (e.held == null) {
      e.held = new HashMap<>();
    }
    Identity key = new Identity(lock);
    Held h = e.held.get(key);
    if (h == null) {
      e.held.put(key, new Held(lock, site));
    } else {
      h.times++;
    }
  }

  /** A lock is about to be released. */
  public static void released(Object lock) {
    if (!watch) {
      return;
    }
    Identity key = new Identity(lock);
    for (Execution e = running.get()[0]; e != null; e = e.above) {
      Held h = e.held == null ? null : e.held.get(key);
      if (h != null && --h.times == 0) {
        e.held.remove(key);
        count(e, h);
      }
    }
  }

  /** A key that calls no method of the program. */
  private static final class Identity {
    private final Object of;

    Identity(Object of) {
      this.of = of;
    }

    @Override
    public int hashCode() {
      return System.identityHashCode(of);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Identity && ((Identity) other).of == of;
    }
  }

  private static final Map<Identity, Long> numbers = new ConcurrentHashMap<>();
  private static final AtomicLong last = new AtomicLong();

  /** Counts what an execution held. */
  private static void count(Execution e, Held h) {
    long held = System.nanoTime() - h.since;
    long object = numbers.computeIfAbsent(new Identity(h.lock), k -> last.incrementAndGet());
    count(LOCKS, e.module, h.site, 0, held);
    count(OBJECTS, e.module, h.site, object, held);
  }

  private static synchronized void count(int table, int module, int site, long object, long held) {
    long from = object * 31 + site * 1031L + module * 65537L;
    for (int k = 0; k < TRIES; k++) {
      int at = table + (int) ((from + k) % ENTRIES) * ENTRY;
      if (get(at) == 0) {
        add(at, module + 1);
        add(at + WORD, site + 1);
        add(at + 2 * WORD, object);
      }
      if (get(at) == module + 1 && get(at + WORD) == site + 1 && get(at + 2 * WORD) == object) {
        add(at + 3 * WORD, 1);
        add(at + 4 * WORD, held);
        return;
      }
    }
  }
}
