package predictability

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/analysis/loops"
)

// hasSize reports whether an argument contains the size.
func hasSize(argument string) bool { return strings.Contains(argument, loops.SizePlaceholder) }

// ampleHeap is 4 GB, or the power of 2 up to half of what the machine has to give: the
// same for a study that goes on.
func ampleHeap() int64 {
	const most = 4 << 30
	f, err := os.Open("/proc/meminfo")
	if err != nil {
		return most
	}
	defer f.Close()
	for in := bufio.NewScanner(f); in.Scan(); {
		var k int64
		if n, _ := fmt.Sscanf(in.Text(), "MemAvailable: %d kB", &k); n == 1 {
			heap := int64(most)
			for heap > k<<10/2 && heap > 1 {
				heap /= 2
			}
			return heap
		}
	}
	return most
}

// mainClass is the name by which people know a Java program: its main class or jar.
func mainClass(command []string) string {
	for i := 1; i < len(command); i++ {
		switch a := command[i]; {
		case a == "-cp" || a == "-classpath" || a == "--class-path" || a == "-p" || a == "--module-path":
			i++
		case a == "-jar" && i+1 < len(command):
			return filepath.Base(command[i+1])
		case !strings.HasPrefix(a, "-"):
			return a
		}
	}
	return "java"
}

// countLoops takes the order of the program from its loops, if they can be
// counted.
func (r *run) countLoops(ctx context.Context) {
	found, err := loops.Count(ctx, loops.Plan{Program: r.plan.Command[0], Args: r.plan.Command[1:], Env: r.plan.Env, Sizes: loopSizes})
	if err != nil {
		r.s.Warnings = append(r.s.Warnings, "loops were not counted: "+err.Error())
		return
	}
	r.s.Loops = found.Loops
	highest := found.Highest()
	if highest == loops.Constant {
		r.s.Warnings = append(r.s.Warnings, "no loop was seen whose count grows with the size and follows an order")
		return
	}
	if highest == loops.Exponential {
		r.s.Warnings = append(r.s.Warnings, "a loop grows exponentially with the size: the order of the cost is taken from the calibration, and no larger size can be predicted by it")
		return
	}
	for _, l := range found.Loops {
		if l.Model.Order == loops.NoOrder && slices.Max(l.Iterations) > most(found.Loops)/2 {
			r.s.Warnings = append(r.s.Warnings, fmt.Sprintf("%s %s:%d iterates most and its counts follow no order: the order of the cost may be another", l.Function, l.File, l.Line))
		}
	}
	r.s.Order, r.s.OrderBy = found.Highest(), "loop counts"
}

// most is the largest number of iterations of any loop.
func most(list []loops.Loop) (n int64) {
	for _, l := range list {
		n = max(n, slices.Max(l.Iterations))
	}
	return n
}

// loopSizes are small: counts are exact.
var loopSizes = []int{16, 24, 32, 48, 64, 96}
