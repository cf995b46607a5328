/**
 * Charged particles on a circle, by the particle-in-cell method: charges are
 * deposited on a grid, the field is integrated, the particles are pushed. Arrays
 * of primitive numbers: no garbage. Arguments: the number n of particles, and of steps.
 */
public final class Particles {
	private static final int CELLS = 256;
	private static final double STEP = 1e-3;

	private final double[] place;
	private final double[] speed;
	private final double[] charge = new double[CELLS];
	private final double[] field = new double[CELLS];

	private Particles(int n) {
		java.util.Random random = new java.util.Random(11);
		place = random.doubles(n).toArray();
		speed = new double[n];
		for (int i = 0; i < n; i++) {
			speed[i] = 0.2 * random.nextGaussian();
		}
	}

	/** Shares the charge of each particle between its two nearest cells. */
	private void deposit() {
		java.util.Arrays.fill(charge, 0);
		for (double x : place) {
			double at = x * CELLS;
			int cell = (int) at % CELLS;
			double part = at - (int) at;
			charge[cell] += 1 - part;
			charge[(cell + 1) % CELLS] += part;
		}
	}

	/** Integrates the charge less its mean; the field has the mean 0. */
	private void integrate() {
		double mean = (double) place.length / CELLS;
		double sum = 0;
		double total = 0;
		for (int i = 0; i < CELLS; i++) {
			sum += (charge[i] - mean) / place.length;
			field[i] = sum;
			total += sum;
		}
		for (int i = 0; i < CELLS; i++) {
			field[i] -= total / CELLS;
		}
	}

	private double push() {
		double energy = 0;
		for (int i = 0; i < place.length; i++) {
			double at = place[i] * CELLS;
			int cell = (int) at % CELLS;
			double part = at - (int) at;
			speed[i] -= STEP * ((1 - part) * field[cell] + part * field[(cell + 1) % CELLS]);
			double x = place[i] + STEP * speed[i];
			place[i] = x - Math.floor(x);
			energy += speed[i] * speed[i];
		}
		return energy / 2;
	}

	public static void main(String[] args) {
		Particles all = new Particles(Integer.parseInt(args[0]));
		int steps = args.length > 1 ? Integer.parseInt(args[1]) : 50;
		double energy = 0;
		for (int s = 0; s < steps; s++) {
			all.deposit();
			all.integrate();
			energy = all.push();
		}
		System.out.println("energy = " + energy);
	}
}
