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
    System.out.println(THREADS + items + port + workers + queue + other + System.getProperty(args[0]));
  }
}
