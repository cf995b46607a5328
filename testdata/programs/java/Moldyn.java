import java.util.Random;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.CyclicBarrier;

/**
 * Molecular dynamics of argon, after the Java Grande benchmark of the same name (Tarvo &amp; Reiss 2014, §5.2). Every
 * thread owns a part of the atoms; all meet at a barrier after the forces and after the motion of every step.
 *
 * <p>java -Dthreads=2 -Datoms=… -Dsteps=… Moldyn
 *
 * <p>WANT: 1 pool of THREADS threads that share the work statically; 1 barrier, 2 meetings in each of STEPS steps.
 */
public final class Moldyn extends Thread {
  private static final double DENSITY = 0.83;
  private static final double CUTOFF2 = 2.5 * 2.5;

  private static double[] position;
  private static double[] velocity;
  private static double[] force;
  private static double edge;

  private final int first;
  private final int end;
  private final int steps;
  private final CyclicBarrier barrier;

  private Moldyn(int first, int end, int steps, CyclicBarrier barrier) {
    this.first = first;
    this.end = end;
    this.steps = steps;
    this.barrier = barrier;
  }

  public static void main(String[] args) throws InterruptedException {
    int threads = Integer.getInteger("threads", 2);
    int atoms = Integer.getInteger("atoms", 2000);
    int steps = Integer.getInteger("steps", 150);
    fill(atoms);
    CyclicBarrier barrier = new CyclicBarrier(threads);
    Moldyn[] pool = new Moldyn[threads];
    for (int i = 0; i < threads; i++) {
      pool[i] = new Moldyn(atoms * i / threads, atoms * (i + 1) / threads, steps, barrier);
      pool[i].start();
    }
    for (Moldyn m : pool) {
      m.join();
    }
    double energy = 0;
    for (double v : velocity) {
      energy += v * v / 2 / atoms;
    }
    System.out.printf("kinetic energy %.9f%n", energy);
  }

  private static void fill(int atoms) {
    Random random = new Random(1);
    int side = (int) Math.ceil(Math.cbrt(atoms));
    edge = Math.cbrt(atoms / DENSITY);
    position = new double[3 * atoms];
    velocity = new double[3 * atoms];
    force = new double[3 * atoms];
    for (int i = 0; i < atoms; i++) {
      int[] site = {i % side, i / side % side, i / side / side};
      for (int k = 0; k < 3; k++) {
        position[3 * i + k] = (site[k] + 0.5) * edge / side;
        velocity[3 * i + k] = random.nextGaussian();
      }
    }
  }

  @Override
  public void run() {
    try {
      for (int s = 0; s < steps; s++) {
        forces();
        barrier.await();
        move(0.002);
        barrier.await();
      }
    } catch (InterruptedException | BrokenBarrierException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Lennard-Jones forces on the atoms of this thread. */
  private void forces() {
    for (int i = 3 * first; i < 3 * end; i += 3) {
      double fx = 0;
      double fy = 0;
      double fz = 0;
      for (int j = 0; j < position.length; j += 3) {
        double x = nearest(position[i] - position[j]);
        double y = nearest(position[i + 1] - position[j + 1]);
        double z = nearest(position[i + 2] - position[j + 2]);
        double r2 = x * x + y * y + z * z;
        if (i == j || r2 > CUTOFF2) {
          continue;
        }
        double inverse2 = 1 / r2;
        double inverse6 = inverse2 * inverse2 * inverse2;
        double scale = 48 * inverse2 * inverse6 * (inverse6 - 0.5);
        fx += scale * x;
        fy += scale * y;
        fz += scale * z;
      }
      force[i] = fx;
      force[i + 1] = fy;
      force[i + 2] = fz;
    }
  }

  /** The distance to the nearest periodic image. */
  private static double nearest(double d) {
    return d > edge / 2 ? d - edge : d < -edge / 2 ? d + edge : d;
  }

  private void move(double dt) {
    for (int i = 3 * first; i < 3 * end; i++) {
      velocity[i] += force[i] * dt;
      double x = position[i] + velocity[i] * dt;
      position[i] = x - edge * Math.floor(x / edge);
    }
  }
}
