import java.util.LinkedList;
import java.util.Queue;

/** Offices send documents to a spool with room for a few, printers print them: the bounded buffer of the textbooks. */
public final class Spool {
  private final Queue<int[]> documents = new LinkedList<>();
  private final int room;

  private Spool(int room) {
    this.room = room;
  }

  private synchronized void put(int[] document) throws InterruptedException {
    while (documents.size() >= room) {
      wait();
    }
    documents.add(document);
    notifyAll();
  }

  private synchronized int[] take() throws InterruptedException {
    while (documents.isEmpty()) {
      wait();
    }
    int[] document = documents.remove();
    notifyAll();
    return document;
  }

  private static int[] write(int seed, int length) {
    int[] text = new int[length];
    int x = seed + 1;
    for (int i = 0; i < length; i++) {
      x ^= x << 13;
      x ^= x >>> 17;
      x ^= x << 5;
      text[i] = x & 0xff;
    }
    return text;
  }

  private static long print(int[] text, int dots) {
    long ink = 0;
    for (int pass = 0; pass < dots; pass++) {
      for (int letter : text) {
        ink += Integer.bitCount(letter * 31 + pass) + (ink >>> 7) % 3;
      }
    }
    return ink;
  }

  public static void main(String[] args) throws InterruptedException {
    int offices = Integer.getInteger("offices", 2);
    int printers = Integer.getInteger("printers", 3);
    int documents = Integer.getInteger("documents", 200);
    int length = Integer.getInteger("length", 20_000);
    int dots = Integer.getInteger("dots", 64);
    Spool spool = new Spool(Integer.getInteger("room", 5));

    Thread[] senders = new Thread[offices];
    for (int o = 0; o < offices; o++) {
      int id = o;
      senders[o] = new Thread(() -> {
        try {
          for (int d = 0; d < documents; d++) {
            spool.put(write(id * documents + d, length));
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      senders[o].start();
    }
    long[] ink = new long[printers];
    Thread[] machines = new Thread[printers];
    for (int p = 0; p < printers; p++) {
      int id = p;
      machines[p] = new Thread(() -> {
        try {
          for (int[] text = spool.take(); text.length > 0; text = spool.take()) {
            ink[id] += print(text, dots);
          }
        } catch (InterruptedException e) {
          Thread.currentThread().interrupt();
        }
      });
      machines[p].start();
    }
    for (Thread t : senders) {
      t.join();
    }
    for (int p = 0; p < printers; p++) {
      spool.put(new int[0]); // an empty document: the day is over
    }
    long all = 0;
    for (int p = 0; p < printers; p++) {
      machines[p].join();
      all += ink[p];
    }
    System.out.println(offices * documents + " documents, " + all + " drops of ink");
  }
}
