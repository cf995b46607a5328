package tierscope;

/** What counters of loops call, without effect: for verifying classes of java.base, which start before any agent. */
public final class Loops {
  private Loops() {}

  public static void enter(int method, int counts) {}

  public static void leave(int method) {}

  public static void site(int method, int site) {}

  public static void more(int method, int count) {}

  public static void less(int method, int count) {}
}
