import java.util.Map;

/** Asks for numbers in all the ways that there are. */
public final class Inputs {
  private static final int THREADS = Integer.getInteger("threads", 4);

  public static void main(String[] args) {
    long items = Long.getLong("items", 1_000_000L);
    int port = Integer.parseInt(System.getProperty("port", "8080"));
    String workers = System.getenv("WORKERS");
    int queue = Integer.parseInt(System.getenv().getOrDefault("QUEUE", "16"));
    String other = Map.of("a", "1").getOrDefault("b", "2"); // no setting
    int bakers = setting("bakers", 3);
    int ovens = number("OVENS", "2");
    System.out.println(bakers + ovens + THREADS + items + port + workers + queue + other + System.getProperty(args[0]));
  }

  private static int setting(String name, int otherwise) {
    return Integer.getInteger(name, otherwise);
  }

  private static int number(String name, String otherwise) {
    String told = System.getenv(name);
    return Integer.parseInt(told == null ? otherwise : told);
  }
}
