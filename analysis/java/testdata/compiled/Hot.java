/** Enters monitors in every way that there is, so often that the JVM compiles the methods. */
public final class Hot {
  private int value;
  private static int total;

  private int block(int n) {
    synchronized (this) {
      value += n;
      if (value < 0) {
        return 0;
      }
    }
    return n;
  }

  private int nested(Object other) {
    synchronized (this) {
      synchronized (other) {
        return ++value;
      }
    }
  }

  private synchronized int method(int n) {
    if (n < 0) {
      throw new IllegalArgumentException("left by an exception");
    }
    return value += n;
  }

  private static synchronized void shared(int n) {
    total += n;
  }

  public static void main(String[] args) {
    Hot hot = new Hot();
    for (int i = 0; i < 300_000; i++) {
      hot.block(i & 7);
      hot.nested(args);
      hot.method(i & 7);
      shared(i & 7);
    }
    System.out.println(hot.value + total);
  }
}
