package tierscope;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;

/** Looks for threads that wait for each other for ever, and writes them to the log. */
final class Watch implements Runnable {
  private static final long EVERY_MS = 1000;

  private Watch() {}

  static void start() {
    Thread t = new Thread(new Watch(), "tierscope watch");
    t.setDaemon(true);
    t.start();
  }

  @Override
  public void run() {
    try {
      ThreadMXBean threads = ManagementFactory.getThreadMXBean();
      long[] dead = null;
      while (dead == null) {
        Thread.sleep(EVERY_MS);
        dead = threads.findDeadlockedThreads();
      }
      StringBuilder b = new StringBuilder();
      for (ThreadInfo i : threads.getThreadInfo(dead, 1)) {
        if (i != null) {
          b.append(b.length() > 0 ? "; " : "").append(i.getThreadName()).append(" waits in ");
          StackTraceElement[] at = i.getStackTrace();
          b.append(at.length == 0 ? "native code" : at[0].getClassName() + "." + at[0].getMethodName() + ":" + at[0].getLineNumber());
          b.append(" for ").append(i.getLockName()).append(", which ").append(i.getLockOwnerName()).append(" holds");
        }
      }
      Log.line("deadlock", b);
    } catch (Throwable t) {
      Log.trouble("nobody looks for deadlocks", t);
    }
  }
}
