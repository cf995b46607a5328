package capture

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

const javaProgramText = `
import java.util.concurrent.*;

public final class Sums {
  static int rounds;
  private final double[] data;

  Sums(int n) { data = new double[2 * n]; }

  static double add(double a, double b) { return a + b; }

  double sum() {
    double s = 0;
    for (int r = 0; r < rounds; r++)
      for (int i = 0; i < data.length; i++) s = add(s, data[i]);
    return s;
  }

  public static void main(String[] args) throws Exception {
    int n = Integer.parseInt(args[0]);
    int threads = Integer.getInteger("threads", 1);
    rounds = Integer.parseInt(System.getenv("ROUNDS"));
    if (n > 900) throw new IllegalArgumentException("too large");
    Sums sums = new Sums(n);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    CountDownLatch all = new CountDownLatch(threads);
    for (int t = 0; t < threads; t++)
      pool.submit(() -> { all.countDown(); all.await(); return sums.sum(); });
    pool.shutdown();
    pool.awaitTermination(1, TimeUnit.MINUTES);
    int after = n + 1;
    if (after < 0) System.exit(1);
  }
}
`

// Variables have the values of the moment at which the program hands out work for the first time: locals by
// their names, fields, lengths of arrays, parameters; what is assigned later is none. Each of the threads iterates a loop of 2n
// additions and the one around it rounds times, and calls the body of the task, sum, and add for every number.
func TestVariablesAndThreadsOfAJavaProgramAreCaptured(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("javac"); err != nil {
		t.Skip("no JDK")
	}
	dir := t.TempDir()
	source := filepath.Join(dir, "Sums.java")
	if err := os.WriteFile(source, []byte(javaProgramText), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("javac", "-g", "-d", dir, source).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	input := func(n, threads, rounds string) Input {
		return Input{Args: []string{"-Dthreads=" + threads, "-cp", dir, "Sums", n}, Env: []string{"ROUNDS=" + rounds}}
	}
	r, err := Run(context.Background(), Plan{Program: "java", Repeats: 1, Inputs: []Input{input("100", "1", "10"), input("200", "2", "30"), input("1000", "1", "10")}})
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Rows) != 2 || len(r.Failed) != 1 {
		t.Fatalf("%d rows, failed %q; want 2, and the reason for n = 1000", len(r.Rows), r.Failed)
	}
	for i, want := range []struct{ n, threads, rounds float64 }{{100, 1, 10}, {200, 2, 30}} {
		row := r.Rows[i]
		if row.Program != "Sums" || row.Threads != want.threads || !strings.HasPrefix(row.ThreadType, "Sums.lambda$main$0:Sums.java:") {
			t.Errorf("row %d is of %s %s with %g threads, want the body of the task with %g", i, row.Program, row.ThreadType, row.Threads, want.threads)
		}
		for name, v := range map[string]float64{"Sums.main.n": want.n, "Sums.main.threads": want.threads, "Sums.rounds": want.rounds, "Sums.<init>.n": want.n, "Sums.<init>.length:8": 2 * want.n} {
			if got, ok := row.Variables[name]; !ok || got != v {
				t.Errorf("row %d: %s is %g (%v), want %g; there is %v", i, name, got, ok, v, row.Variables)
			}
		}
		for name := range row.Variables {
			if strings.HasSuffix(name, ".after") || strings.HasSuffix(name, ".t") {
				t.Errorf("%s is an input", name)
			}
		}
		b := row.Behaviours
		if loops := want.rounds*2*want.n + want.rounds; b["loop_iterations"] != loops {
			t.Errorf("row %d: %g iterations, want %g", i, b["loop_iterations"], loops)
		}
		if calls := 2*want.n*want.rounds + 2; b["calls"] != calls {
			t.Errorf("row %d: %g calls, want %g", i, b["calls"], calls)
		}
		if !(b["wall_s"] > 0 && b["cpu_s"] > 0) || row.Sources["allocated_bytes"] != "JVM" {
			t.Errorf("row %d: behaviours %v from %v", i, b, row.Sources)
		}
	}
}
