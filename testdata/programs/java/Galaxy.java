import java.util.Random;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;

/**
 * Motion of heavenly bodies with the algorithm of Barnes and Hut (Tarvo &amp; Reiss 2014, §5.2). In every step the main
 * thread builds the octree; then a pool takes blocks of bodies from a queue and computes the forces on them, while the
 * main thread waits at a latch.
 *
 * <p>java -Dthreads=2 -Dbodies=… -Dsteps=… Galaxy
 *
 * <p>WANT: 1 pool of THREADS threads that takes steps × 30 tasks from 1 queue, as blocks of bodies; main waits for each
 * step.
 */
public final class Galaxy {
  private static final double THETA = 0.6;
  private static final int BLOCKS = 30;

  /** A cube of space: a body, or eight smaller cubes. */
  private static final class Node {
    final double[] middle;
    final double half;
    final double[] center = new double[3]; // of mass
    double mass;
    int body = -1;
    Node[] parts;

    Node(double[] middle, double half) {
      this.middle = middle;
      this.half = half;
    }
  }

  /** A task: a block of bodies, or the end. */
  private static final class Block {
    final int first;
    final int end;
    final CountDownLatch done;

    Block(int first, int end, CountDownLatch done) {
      this.first = first;
      this.end = end;
      this.done = done;
    }
  }

  private final double[][] position;
  private final double[][] velocity;
  private final double[] mass;
  private Node root;

  private Galaxy(int bodies) {
    Random random = new Random(1);
    position = new double[bodies][];
    velocity = new double[bodies][];
    mass = new double[bodies];
    for (int i = 0; i < bodies; i++) {
      double distance = i == 0 ? 0 : 0.2 + Math.sqrt(random.nextDouble());
      double angle = 2 * Math.PI * random.nextDouble();
      double speed = i == 0 ? 0 : Math.sqrt(1 / distance);
      position[i] = new double[] {distance * Math.cos(angle), distance * Math.sin(angle), 0.05 * random.nextGaussian()};
      velocity[i] = new double[] {-speed * Math.sin(angle), speed * Math.cos(angle), 0};
      mass[i] = i == 0 ? 1 : 1e-5;
    }
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 2);
    int bodies = Integer.getInteger("bodies", 3000);
    int steps = Integer.getInteger("steps", 60);
    Galaxy g = new Galaxy(bodies);
    BlockingQueue<Block> queue = new ArrayBlockingQueue<>(BLOCKS + threads);
    Thread[] pool = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      pool[i] = new Thread(() -> g.work(queue));
      pool[i].start();
    }
    for (int s = 0; s < steps; s++) {
      g.build();
      CountDownLatch done = new CountDownLatch(BLOCKS);
      for (int b = 0; b < BLOCKS; b++) {
        queue.put(new Block(bodies * b / BLOCKS, bodies * (b + 1) / BLOCKS, done));
      }
      done.await();
    }
    for (int i = 0; i < threads; i++) {
      queue.put(new Block(0, 0, null));
    }
    for (Thread t : pool) {
      t.join();
    }
    System.out.printf("x %.9f%n", g.position[1][0]);
  }

  private void work(BlockingQueue<Block> queue) {
    try {
      for (Block b = queue.take(); b.done != null; b = queue.take()) {
        for (int i = b.first; i < b.end; i++) {
          advance(i);
        }
        b.done.countDown();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void build() {
    root = new Node(new double[3], 16);
    for (int i = 0; i < mass.length; i++) {
      insert(root, i, 0);
    }
  }

  private void insert(Node n, int i, int depth) {
    double total = n.mass + mass[i];
    for (int k = 0; k < 3; k++) {
      n.center[k] = (n.center[k] * n.mass + position[i][k] * mass[i]) / total;
    }
    boolean empty = n.mass == 0;
    n.mass = total;
    if (empty || depth > 40) {
      n.body = i;
      return;
    }
    if (n.parts == null) {
      n.parts = new Node[8];
      int other = n.body;
      n.body = -1;
      insert(part(n, other), other, depth + 1);
    }
    insert(part(n, i), i, depth + 1);
  }

  private Node part(Node n, int i) {
    int which = 0;
    double[] middle = new double[3];
    for (int k = 0; k < 3; k++) {
      boolean upper = position[i][k] > n.middle[k];
      which |= upper ? 1 << k : 0;
      middle[k] = n.middle[k] + (upper ? n.half / 2 : -n.half / 2);
    }
    if (n.parts[which] == null) {
      n.parts[which] = new Node(middle, n.half / 2);
    }
    return n.parts[which];
  }

  private void advance(int i) {
    double[] a = new double[3];
    attract(root, i, a);
    for (int k = 0; k < 3; k++) {
      velocity[i][k] += a[k] * 1e-3;
      position[i][k] += velocity[i][k] * 1e-3;
    }
  }

  private void attract(Node n, int i, double[] a) {
    if (n == null || n.mass == 0 || n.body == i) {
      return;
    }
    double x = n.center[0] - position[i][0];
    double y = n.center[1] - position[i][1];
    double z = n.center[2] - position[i][2];
    double r2 = x * x + y * y + z * z + 1e-6;
    if (n.parts == null || 4 * n.half * n.half < THETA * THETA * r2) {
      double scale = n.mass / (r2 * Math.sqrt(r2));
      a[0] += scale * x;
      a[1] += scale * y;
      a[2] += scale * z;
      return;
    }
    for (Node p : n.parts) {
      attract(p, i, a);
    }
  }
}
