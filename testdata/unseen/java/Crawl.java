import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.CRC32;

/** Crawls a site that exists in memory; a semaphore bounds the pages that are fetched at a time. */
public final class Crawl {
  private final Set<Integer> seen = ConcurrentHashMap.newKeySet();
  private final ExecutorService pool = Executors.newCachedThreadPool();
  private final AtomicInteger open = new AtomicInteger();
  private final AtomicInteger indexed = new AtomicInteger();
  private final Semaphore slots;
  private final int pages;
  private final int limit;
  private final int latency;
  private final int size;

  private Crawl(int fetchers, int pages, int limit, int latency, int size) {
    this.slots = new Semaphore(fetchers);
    this.pages = pages;
    this.limit = limit;
    this.latency = latency;
    this.size = size;
  }

  private void visit(int page) {
    if (indexed.get() + open.get() >= limit || !seen.add(page)) {
      return;
    }
    open.incrementAndGet();
    pool.execute(() -> {
      try {
        fetch(page);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      } finally {
        if (open.decrementAndGet() == 0) {
          synchronized (this) {
            notifyAll();
          }
        }
      }
    });
  }

  private void fetch(int page) throws InterruptedException {
    byte[] text = new byte[size];
    Random random = new Random(page);
    slots.acquire();
    try {
      Thread.sleep(latency);
      random.nextBytes(text);
    } finally {
      slots.release();
    }
    CRC32 sum = new CRC32();
    for (int i = 0; i < 20; i++) {
      sum.update(text);
    }
    indexed.incrementAndGet();
    for (int i = 0; i < 4; i++) {
      visit(Math.floorMod((int) sum.getValue() * (i + 1) + i, pages));
    }
  }

  private synchronized void await() throws InterruptedException {
    while (open.get() > 0) {
      wait();
    }
  }

  public static void main(String[] args) throws InterruptedException {
    Crawl crawl = new Crawl(Integer.getInteger("fetchers", 4), Integer.getInteger("pages", 3000), Integer.getInteger("limit", 300),
        Integer.getInteger("latency", 2), Integer.getInteger("size", 20_000));
    crawl.visit(0);
    crawl.await();
    crawl.pool.shutdown();
    System.out.println(crawl.indexed + " pages");
  }
}
