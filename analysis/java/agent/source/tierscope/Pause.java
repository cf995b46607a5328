package tierscope;

import java.nio.MappedByteBuffer;

/**
 * Interrupts the recording while a server warms up, when whoever reads it asks for that. Three numbers in the head of
 * the file: 1 at 32 asks for the pause, 0 ends it; here the times of its begin and end are written, at 40 and 48, in ns
 * since the start of the recording.
 */
final class Pause implements Runnable {
  private static final int ASKED = 32;
  private static final int FROM = 40;
  private static final int TO = 48;
  private static final long EVERY_MS = 20;

  private final MappedByteBuffer file;
  private final long zero;

  private Pause(MappedByteBuffer file, long zero) {
    this.file = file;
    this.zero = zero;
  }

  static void start(MappedByteBuffer file, long zero) {
    Thread t = new Thread(new Pause(file, zero), "tierscope pause");
    t.setDaemon(true);
    t.start();
  }

  @Override
  public void run() {
    try {
      await(1);
      Probe.pause(true);
      file.putLong(FROM, System.nanoTime() - zero);
      await(0);
      file.putLong(TO, System.nanoTime() - zero);
      Probe.pause(false);
    } catch (Throwable t) {
      Probe.pause(false);
      Log.trouble("the recording cannot be interrupted", t);
    }
  }

  private void await(long asked) throws InterruptedException {
    while (file.getLong(ASKED) != asked) {
      Thread.sleep(EVERY_MS);
    }
  }
}
