package tierscope;

import java.io.RandomAccessFile;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.ByteOrder;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What the probes call. A hit is 24 bytes in a file that is mapped into memory, so that it is there however the
 * program ends. The numbers are little-endian:
 *
 * <pre>
 * nanoseconds since the start of the recording (48 bits), probe (16)
 * nanoseconds of CPU that the thread has used (44), free (18), 1 without a CPU clock (1), 1 at the end (1)
 * identity of the object (32), argument or result, saturated (32)
 * </pre>
 *
 * Directly after the end of an operation in which the thread was off the core there is a record with probe 65535: in the
 * place of the CPU time it has how long the thread has been ready to run without a core, so that what it waited for the
 * world is not confused with what it waited for other programs.
 *
 * <p>A record with probe 65534 is of a lock, queue or the like that was made at a place which the log knows: in the place
 * of the CPU time it has the number of the place, and in that of the argument the identity of a part of the object's; if
 * it has a second one, another record follows with that.
 *
 * <p>Threads write into chunks of their own, small ones first: a program may have many thousands of threads. A chunk
 * begins with its mark, the thread's id, its size in bytes (32 bits) and the kernel's id of the thread (32), if that is known. The file begins with 64 bytes: mark, start on the clock
 * of System.nanoTime, hits that found no room, whether the CPU clock works, and {@link Pause}.
 *
 * <p>No probe throws, and none records what happens inside another one.
 */
public final class Probe {
  private static final long FILE_MARK = 0x31656c69662d7374L; // "ts-file1"
  private static final long CHUNK_MARK = 0x6b6e7568632d7374L; // "ts-chunk"
  private static final int HEADER = 64;
  private static final int RECORD = 24;
  private static final int SMALLEST = 64 * RECORD;
  private static final int LARGEST = 2048 * RECORD;

  /** The clock of a thread's CPU time costs a system call; for so many ns after one, CPU time is elapsed time. */
  private static final long TRUST_NS = 8_000;

  /** Off the core for longer than this, a thread was not just interrupted, ns. */
  private static final long OFF_NS = 50_000;

  private static final int READY = 0xffff;
  private static final int MADE = 0xfffe;
  private static final int PROBES = 1 << 16;
  private static final int MOST_ACCOUNTS = 512;
  private static final AtomicLong ACCOUNTS = new AtomicLong();

  private static final ThreadLocal<Tape> TAPES =
      new ThreadLocal<Tape>() {
        @Override
        protected Tape initialValue() {
          return new Tape();
        }
      };

  private static final AtomicLong NEXT = new AtomicLong(HEADER);
  private static final AtomicLong LOST = new AtomicLong();

  private static MappedByteBuffer file;
  private static ThreadMXBean clock; // null: this JVM has none
  private static long size;
  private static long zero;
  private static int most; // hits of a probe that are recorded; 0: all
  private static final int[] HITS = new int[PROBES]; // of each probe, if not all are recorded; threads may lose some
  private static volatile boolean on;
  private static volatile boolean paused; // only starts of threads are recorded

  private Probe() {}

  /** Where a thread writes. */
  private static final class Tape {
    final long thread = Thread.currentThread().getId();
    int at;
    int end;
    int chunk = SMALLEST;
    boolean busy;
    boolean clockless = clock == null; // elapsed time has to do, also for virtual threads
    long time; // of the last reading of the CPU clock
    long cpu;
    long hitTime; // of the last hit
    long hitCpu;
    RandomAccessFile account; // the kernel's, of this thread; null: not opened yet, or not to be had
    boolean unaccountable;
    byte[] line;
    int kernel = -1; // the kernel's id; 0: not known, -1: not asked yet
  }

  static void open(String name, long bytes, int hits) throws Exception {
    most = hits;
    size = Math.min(bytes, Integer.MAX_VALUE - LARGEST);
    try (RandomAccessFile f = new RandomAccessFile(name, "rw")) {
      f.setLength(size);
      file = f.getChannel().map(FileChannel.MapMode.READ_WRITE, 0, size);
    }
    file.order(ByteOrder.LITTLE_ENDIAN);
    try {
      ThreadMXBean bean = ManagementFactory.getThreadMXBean();
      if (bean.isCurrentThreadCpuTimeSupported()) {
        bean.setThreadCpuTimeEnabled(true);
        if (bean.getCurrentThreadCpuTime() >= 0) {
          clock = bean;
        }
      }
    } catch (Throwable t) {
      Log.trouble("no CPU clock of threads: elapsed time is used", t);
    }
    zero = System.nanoTime();
    file.putLong(8, zero);
    file.putLong(24, clock == null ? 0 : 1);
    file.putLong(0, FILE_MARK);
    TAPES.get();
    on = true;
    Pause.start(file, zero);
  }

  static void pause(boolean now) {
    paused = now;
  }

  /** CPU time that this thread has used until now, in ns: of the main thread when the agent is ready. */
  static long startupCpu() {
    return clock == null ? 0 : clock.getCurrentThreadCpuTime();
  }

  /** What Thread.sleep is asked for, in µs. */
  public static long micros(long ms, int ns) {
    return ms > Integer.MAX_VALUE ? Integer.MAX_VALUE : ms * 1000 + ns / 1000;
  }

  /** An operation begins. */
  public static void start(int probe, Object o, long argument) {
    hit(probe, o, argument, 0);
  }

  /** An operation has ended. */
  public static void end(int probe, Object o, long result) {
    hit(probe, o, result, 1);
  }

  /** The identity of what passes through a queue, never 0 but for null. */
  public static long identity(Object o) {
    return o == null ? 0 : System.identityHashCode(o) | 1L << 31;
  }

  private static void hit(int probe, Object o, long argument, long end) {
    if (paused || most > 0 && spent(probe)) {
      return;
    }
    write(probe, o, argument, end);
  }

  /** Whether a probe has had all its hits; if not this is one more. */
  private static boolean spent(int probe) {
    if (HITS[probe] >= most) {
      return true;
    }
    HITS[probe]++;
    return false;
  }

  private static void write(int probe, Object o, long argument, long end) {
    Tape t = enter();
    if (t == null) {
      return;
    }
    try {
      record(t, probe, o, argument, end);
    } catch (Throwable e) {
      LOST.incrementAndGet();
    } finally {
      t.busy = false;
    }
  }

  private static void record(Tape t, int probe, Object o, long argument, long end) {
    long now = System.nanoTime();
    if (t.at == t.end && !claim(t)) {
      return;
    }
    long cpu = t.cpu + (now - t.time);
    if (!t.clockless && now - t.time > TRUST_NS) {
      cpu = readClock(t);
      t.time = now;
      t.cpu = cpu;
    }
    long object = o == null ? 0 : System.identityHashCode(o);
    long narrow = argument > Integer.MAX_VALUE && argument >>> 32 != 0 ? Integer.MAX_VALUE : argument;
    int at = t.at;
    file.putLong(at + 8, (t.clockless ? 2 : cpu << 20) | end);
    file.putLong(at + 16, object << 32 | narrow & 0xffffffffL);
    file.putLong(at, now - zero << 16 | probe); // last: it says that the record is there
    t.at = at + RECORD;
    if (end == 1 && !t.clockless && (now - t.hitTime) - (cpu - t.hitCpu) > OFF_NS) {
      recordReady(t, now);
    }
    t.hitTime = now;
    t.hitCpu = cpu;
  }

  private static void recordReady(Tape t, long now) {
    long ready = readReady(t);
    if (ready < 0 || t.at == t.end && !claim(t)) {
      return;
    }
    int at = t.at;
    file.putLong(at + 8, ready << 20);
    file.putLong(at, now - zero << 16 | READY);
    t.at = at + RECORD;
  }

  /** How long this thread has been ready without a core, in ns, from /proc: "on the core, ready, times"; -1: not known. */
  private static long readReady(Tape t) {
    if (t.unaccountable) {
      return -1;
    }
    try {
      if (t.account == null) {
        if (ACCOUNTS.incrementAndGet() > MOST_ACCOUNTS) {
          t.unaccountable = true;
          return -1;
        }
        t.line = new byte[80];
        t.account = new RandomAccessFile("/proc/thread-self/schedstat", "r");
      }
      t.account.seek(0);
      int n = t.account.read(t.line);
      int i = 0;
      while (i < n && t.line[i] != ' ') {
        i++;
      }
      long ready = 0;
      for (i++; i < n && t.line[i] != ' '; i++) {
        ready = 10 * ready + t.line[i] - '0';
      }
      return ready;
    } catch (Throwable e) {
      t.unaccountable = true;
      return -1;
    }
  }

  private static long readClock(Tape t) {
    try {
      return clock.getCurrentThreadCpuTime();
    } catch (UnsupportedOperationException e) { // a virtual thread
      t.clockless = true;
      return 0;
    }
  }

  /** The kernel's id of this thread, from /proc: "PID/task/id"; 0: not known, or a virtual thread, which has none of its own. */
  private static int readKernel(Tape t) {
    if (!t.clockless) {
      readClock(t); // a virtual thread has none
    }
    if (t.clockless) {
      return 0;
    }
    try {
      String link = Files.readSymbolicLink(Path.of("/proc/thread-self")).toString();
      return Integer.parseInt(link.substring(link.lastIndexOf('/') + 1));
    } catch (Throwable e) {
      return 0;
    }
  }

  /** Takes the next piece of the file for a thread. */
  private static boolean claim(Tape t) {
    long at = NEXT.getAndAdd(t.chunk);
    if (at + t.chunk > size) {
      on = false;
      file.putLong(16, LOST.incrementAndGet());
      return false;
    }
    t.at = (int) at + RECORD;
    t.end = (int) at + t.chunk;
    file.putLong((int) at + 8, t.thread);
    if (t.kernel < 0) {
      t.kernel = readKernel(t);
    }
    file.putInt((int) at + 16, t.chunk);
    file.putInt((int) at + 20, t.kernel);
    file.putLong((int) at, CHUNK_MARK);
    t.chunk = Math.min(LARGEST, 2 * t.chunk);
    return true;
  }

  /** A thread is started: the first thing in Thread.start. */
  public static void spawned(int probe, Thread child) {
    write(probe, child, child.getId(), 0);
    Tape t = enter();
    if (t == null) {
      return;
    }
    try {
      Log.line("spawn", System.nanoTime() - zero, t.thread, child.getId(), System.identityHashCode(child),
          child.getClass().getName(), child.getName(), Log.stack());
      if (child instanceof ForkJoinWorkerThread) {
        ForkJoinPool pool = ((ForkJoinWorkerThread) child).getPool();
        Log.line("forker", child.getId(), System.identityHashCode(pool), pool.getParallelism());
      }
    } catch (Throwable e) {
      LOST.incrementAndGet();
    } finally {
      t.busy = false;
    }
  }

  /** A lock, queue or the like was made: the last thing in its constructor. */
  public static void made(Object o) {
    Tape t = enter();
    if (t == null) {
      return;
    }
    try {
      long time = System.nanoTime();
      Objects.Made m = Objects.describe(o);
      int place = Places.of(time - zero, m);
      if (place >= 0 && !paused) {
        recordMade(t, time, place, m.identity, m.part);
        if (m.other != 0) {
          recordMade(t, time, place, m.identity, m.other);
        }
      }
    } catch (Throwable e) {
      LOST.incrementAndGet();
    } finally {
      t.busy = false;
    }
  }

  private static void recordMade(Tape t, long time, long place, long object, long part) {
    if (t.at == t.end && !claim(t)) {
      return;
    }
    int at = t.at;
    file.putLong(at + 8, place << 20);
    file.putLong(at + 16, object << 32 | part);
    file.putLong(at, time - zero << 16 | MADE);
    t.at = at + RECORD;
  }

  /** The tape of this thread, now busy; null if it was, or if nothing is recorded. */
  private static Tape enter() {
    if (!on) {
      return null;
    }
    try {
      Tape t = TAPES.get();
      if (t.busy) {
        return null;
      }
      t.busy = true;
      return t;
    } catch (Throwable e) {
      LOST.incrementAndGet();
      return null;
    }
  }
}
