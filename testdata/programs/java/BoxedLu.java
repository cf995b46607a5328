/**
 * LU decomposition with partial pivoting of a matrix whose elements are immutable
 * objects, as numerical libraries of the nineties had them: every multiplication
 * allocates. Argument: the order n of the matrix.
 */
public final class BoxedLu {
	/** An immutable number. */
	private static final class Real {
		final double value;

		Real(double value) {
			this.value = value;
		}

		Real minus(Real other) {
			return new Real(value - other.value);
		}

		Real times(Real other) {
			return new Real(value * other.value);
		}

		Real over(Real other) {
			return new Real(value / other.value);
		}
	}

	private static Real[][] matrix(int n) {
		java.util.SplittableRandom random = new java.util.SplittableRandom(7);
		Real[][] a = new Real[n][n];
		for (int i = 0; i < n; i++) {
			for (int j = 0; j < n; j++) {
				a[i][j] = new Real(random.nextDouble() + (i == j ? n : 0));
			}
		}
		return a;
	}

	/** Eliminates below the diagonal; every changed row is a new one. */
	private static void decompose(Real[][] a) {
		int n = a.length;
		for (int k = 0; k < n; k++) {
			int pivot = k;
			for (int i = k + 1; i < n; i++) {
				if (Math.abs(a[i][k].value) > Math.abs(a[pivot][k].value)) {
					pivot = i;
				}
			}
			Real[] row = a[pivot];
			a[pivot] = a[k];
			a[k] = row;
			for (int i = k + 1; i < n; i++) {
				a[i] = eliminated(a[i], row, k);
			}
		}
	}

	private static Real[] eliminated(Real[] from, Real[] pivot, int k) {
		Real factor = from[k].over(pivot[k]);
		Real[] row = new Real[from.length];
		System.arraycopy(from, 0, row, 0, k);
		row[k] = factor;
		for (int j = k + 1; j < row.length; j++) {
			row[j] = from[j].minus(factor.times(pivot[j]));
		}
		return row;
	}

	public static void main(String[] args) {
		Real[][] a = matrix(Integer.parseInt(args[0]));
		decompose(a);
		double log = 0;
		for (int i = 0; i < a.length; i++) {
			log += Math.log(Math.abs(a[i][i].value));
		}
		System.out.println("log |det| = " + log);
	}
}
