package loops

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const javaKernels = `
import java.util.concurrent.CompletableFuture;

public final class Kernels {
  static double[][] multiply(double[][] a, double[][] b) {
    int n = a.length;
    double[][] c = new double[n][n];
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) c[i][j] += a[i][k] * b[k][j];
    return c;
  }

  static double sum(double[] v) {
    double s = 0;
    for (double x : v) s += x;
    return s;
  }

  static double[] flat(double[][] a) {
    int n = a.length;
    double[] v = new double[n * n];
    for (int i = 0; i < n; i++) System.arraycopy(a[i], 0, v, i * n, n);
    return v;
  }

  static void mergeSort(double[] v, double[] w, int from, int to) {
    if (to - from < 2) return;
    int m = (from + to) / 2;
    mergeSort(v, w, from, m);
    mergeSort(v, w, m, to);
    int i = from, j = m;
    for (int k = from; k < to; k++) w[k] = j >= to || i < m && v[i] <= v[j] ? v[i++] : v[j++];
    System.arraycopy(w, from, v, from, to - from);
  }

  static int log(int n) {
    int k = 0;
    do { n /= 2; k++; } while (n > 0);
    return k;
  }

  static void fail(int depth) {
    if (depth == 0) throw new IllegalStateException();
    fail(depth - 1);
  }

  /** Exceptions leave methods in the middle of it; what comes next is still counted here. */
  static int careful(int n) {
    int k = 0;
    if (n > 3) k++;
    while (k < n) {
      k++;
      try { fail(5); } catch (IllegalStateException e) { continue; }
      k = n;
    }
    return k;
  }

  /** The loop of sum in a lambda expression and another thread. */
  static double elsewhere(double[] v) { return CompletableFuture.supplyAsync(() -> sum(v)).join(); }

  public static void main(String[] args) {
    int n = Integer.parseInt(args[0]);
    if (n > 1000) throw new IllegalArgumentException("too large");
    double[][] a = new double[n][n];
    for (double[] row : a) java.util.Arrays.setAll(row, i -> Math.sin(i + n));
    double[][] c = multiply(a, a);
    double x = sum(c[0]);
    x += sum(flat(c));
    x += elsewhere(flat(c));
    mergeSort(flat(c), new double[n * n], 0, n);
    x += log(n) + careful(n);
    System.exit(x == 0.1 ? 1 : 0);
  }
}
`

// compiled compiles a Java program; the test is skipped where there is no JDK.
func compiled(t *testing.T, class, source string) string {
	t.Helper()
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("no JDK on this machine (javac is not in PATH): loops of Java programs cannot be counted")
	}
	dir := t.TempDir()
	name := filepath.Join(dir, class+".java")
	if err := os.WriteFile(name, []byte(source), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(javac, "-d", dir, name).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
	return dir
}

// The same textbook orders as those of the Go program; a merge sort of m
// elements moves them about log₂ m times, in all its recursive calls together.
func TestComplexitiesOfAJavaProgramAreFoundPerChainOfCallers(t *testing.T) {
	t.Parallel()
	dir := compiled(t, "Kernels", javaKernels)
	sizes := []int{16, 32, 48, 64, 80, 96}
	r, err := Count(context.Background(), Plan{Program: "java", Args: []string{"-cp", dir, "Kernels", SizePlaceholder}, Sizes: append(sizes, 2000)})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Failed) != 1 || !strings.Contains(r.Failed[0], "size 2000") {
		t.Errorf("failures %q, want that of size 2000, and the rest to continue", r.Failed)
	}
	found := map[string][]Order{}
	counts := map[string][]int64{}
	for _, l := range r.Loops {
		found[l.Function] = append(found[l.Function], l.Model.Order)
		counts[l.Function] = l.Iterations
		t.Logf("%s:%d %-60s %s %v", l.Function, l.Line, l.Chain, l.Model, l.Entries)
	}
	for function, want := range map[string][]Order{
		"Kernels.multiply": {LinearN, Square, Cube}, "Kernels.sum": {LinearN, Square, Square}, "Kernels.flat": {LinearN, LinearN, LinearN},
		"Kernels.mergeSort": {NLogN}, "Kernels.careful": {LinearN},
	} {
		got := text(found[function])
		slices.Sort(got)
		wanted := text(want)
		slices.Sort(wanted)
		if !slices.Equal(got, wanted) {
			t.Errorf("the loops of %s have %q iterations, want %q", function, got, wanted)
		}
	}
	for i, n := range sizes {
		// log: a do loop goes back once less than it runs, 16 = 10000₂ → 5 runs.
		bits := int64(0)
		for k := n; k > 0; k /= 2 {
			bits++
		}
		if got := counts["Kernels.log"][i]; got != bits-1 {
			t.Errorf("size %d: the do loop went back %d times, want %d", n, got, bits-1)
		}
		if got := counts["Kernels.careful"][i]; got != int64(n-1) {
			t.Errorf("size %d: the loop with exceptions iterated %d times, want %d", n, got, n-1)
		}
	}
}
