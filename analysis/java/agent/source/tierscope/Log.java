package tierscope;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** What happens seldom, as lines of words separated by tabs. Every line is in the file when the call returns. */
final class Log {
  private static final int MOST_BYTES = 64 << 20;

  private static FileOutputStream out;
  private static long written;

  private Log() {}

  static void open(String file) throws IOException {
    out = new FileOutputStream(file);
  }

  static synchronized void line(Object... words) {
    if (out == null || written > MOST_BYTES) {
      return;
    }
    StringBuilder b = new StringBuilder();
    for (Object w : words) {
      if (b.length() > 0) {
        b.append('\t');
      }
      b.append(String.valueOf(w).replace('\t', ' ').replace('\n', ' '));
    }
    byte[] line = b.append('\n').toString().getBytes(StandardCharsets.UTF_8);
    try {
      out.write(line);
      written += line.length;
    } catch (IOException e) {
      out = null; // the disk is full: the program goes on without a log
    }
  }

  static void trouble(String what, Throwable t) {
    try {
      line("trouble", what, t);
    } catch (Throwable again) {
      // nothing that the program under study could do about it
    }
  }

  /** The calls that led here, innermost first, without those of the agent: class, method, file and line of each. */
  static String stack() {
    StringBuilder b = new StringBuilder();
    for (StackTraceElement e : new Throwable().getStackTrace()) {
      if (e.getClassName().startsWith("tierscope.")) {
        continue;
      }
      if (b.length() > 0) {
        b.append('|');
      }
      frame(b, e);
    }
    return b.toString();
  }

  static void frame(StringBuilder b, StackTraceElement e) {
    b.append(e.getClassName()).append(';').append(e.getMethodName()).append(';');
    b.append(e.getFileName() == null ? "" : e.getFileName()).append(';').append(e.getLineNumber());
  }
}
