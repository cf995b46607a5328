package predictability

import "testing"

// Whatever a file says of a program, the study answers.
func FuzzStudy(f *testing.F) {
	f.Add([]byte(`{"format":"tierscope-predictability","version":1,"program":"p","runtime":"go","command":["p","{n}"],"ample_heap_bytes":4294967296,"slowdown":1.5,
		"start_up":{"cpu_s":0,"compile_s":0},"points":[{"size":10,"cpu_s":1,"role":"calibration"},{"size":100,"cpu_s":2,"role":"check"}],"order":"n^2","order_by":"the user",
		"pop":{"size":5,"lower":4,"threshold":0.3},"cost":{"order":"n^2","constant":1,"factor":1e-6},"base_footprint":{"order":"n","constant":1e6,"factor":100},
		"surface":{"a":1,"b":1.5,"c":0.5,"reserve":1e6},"thresholds":{"a":10,"b":1},"pou":[{"heap_bytes":25165824,"size":1000,"lower":900,"upper":1100,"exhausted":2000}]}`), 5000.0, int64(25165824))
	f.Add([]byte(`{"format":"tierscope-predictability","version":1,"program":"p","runtime":"java","base_footprint":{"order":"2^n"},"surface":{}}`), 1e300, int64(-1))
	f.Fuzz(func(t *testing.T, data []byte, n float64, heap int64) {
		var s Study
		if Format.Unmarshal(data, &s) != nil {
			return
		}
		s.At(n)
		s.SlowdownAt(n, heap)
		s.ByFootprint(heap)
		s.CheckError()
		s.Range()
		_ = s.Formula()
		if why, again := s.Outside(n, heap), s.Outside(n, heap); why != again {
			t.Fatalf("asked twice, it says %q and %q", why, again)
		}
		if h := s.HeapFor(n); h < 0 {
			t.Fatalf("size %g needs a heap of %d bytes", n, h)
		}
	})
}
