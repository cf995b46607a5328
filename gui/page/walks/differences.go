package walks

import "tierscope/core"

// differences says what each shape does, from where it differs from the one that is most like it: what they begin with
// fills the column, and is the same.
func differences(shapes []core.Shape) []string {
	out := make([]string, len(shapes))
	for i, s := range shapes {
		same := 0
		for j := range shapes {
			if i != j {
				same = max(same, common(s.Does, shapes[j].Does))
			}
		}
		if same = min(same, len(s.Does)-1); same > 0 { // the last one is said of a shape with which another begins
			s.Does = s.Does[same:]
			out[i] = "… "
		}
		out[i] += s.Says(widest)
	}
	return out
}

// common is with how many operations both begin.
func common(a, b []string) int {
	n := 0
	for n < min(len(a), len(b)) && a[n] == b[n] {
		n++
	}
	return n
}
