package tierscope;

import java.nio.MappedByteBuffer;

/**
 * Interrupts and resumes the recording of a server, when whoever reads it asks for that: while the server warms up, and
 * by turns, to see what recording costs. Numbers in the head of the file: 1 at 32 asks for a pause, 0 ends it; how
 * often that was done is at 56, and the times of the first pause's begin and end at 40 and 48, in ns since the start of
 * the recording.
 */
final class Pause implements Runnable {
  private static final int ASKED = 32;
  private static final int FROM = 40;
  private static final int TO = 48;
  private static final int CHANGES = 56;
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
      for (long changes = 0; ; ) {
        await(1);
        Probe.pause(true);
        note(changes == 0 ? FROM : 0);
        file.putLong(CHANGES, ++changes);
        await(0);
        note(changes == 1 ? TO : 0);
        Probe.pause(false);
        file.putLong(CHANGES, ++changes);
      }
    } catch (Throwable t) {
      Probe.pause(false);
      Log.trouble("the recording cannot be interrupted", t);
    }
  }

  private void note(int at) {
    if (at > 0) {
      file.putLong(at, System.nanoTime() - zero);
    }
  }

  private void await(long asked) throws InterruptedException {
    while (file.getLong(ASKED) != asked) {
      Thread.sleep(EVERY_MS);
    }
  }
}
