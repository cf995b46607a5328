package tierscope;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/** What happens seldom, as lines of words separated by tabs. Every line is in the file when the call returns. */
final class Log {
  private static final int MOST_BYTES = 64 << 20;

  private static final StackWalker WALKER = StackWalker.getInstance();

  private static FileOutputStream out;
  private static long written;

  private Log() {}

  static void open(String file) throws IOException {
    out = new FileOutputStream(file);
    stack(); // what it needs is loaded before the program begins
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

  /**
   * The calls that led here, innermost first, without those of the agent: class, method, file, line and index of the
   * bytecode of each, for a line may have several calls.
   */
  static String stack() {
    StringBuilder b = new StringBuilder();
    WALKER.forEach(
        new Consumer<StackWalker.StackFrame>() { // not a lambda expression, which the JVM would make a class for
          @Override
          public void accept(StackWalker.StackFrame f) {
            if (f.getClassName().startsWith("tierscope.")) {
              return;
            }
            if (b.length() > 0) {
              b.append('|');
            }
            frame(b, f.toStackTraceElement());
            b.append(';').append(Math.max(0, f.getByteCodeIndex()));
          }
        });
    return b.toString();
  }

  static void frame(StringBuilder b, StackTraceElement e) {
    b.append(e.getClassName()).append(';').append(e.getMethodName()).append(';');
    b.append(e.getFileName() == null ? "" : e.getFileName()).append(';').append(e.getLineNumber());
  }
}
