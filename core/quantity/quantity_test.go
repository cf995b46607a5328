package quantity_test

import (
	"fmt"
	"math"
	"testing"

	"tierscope/core/quantity"
)

func ExampleFormat() {
	fmt.Println(quantity.Format(0.0482, "s"))
	fmt.Println(quantity.Format(119.6, "1/s"))
	fmt.Println(quantity.Format(0.97, "1"))
	fmt.Println(quantity.Format(16, "threads"))
	// Output:
	// 48.2 ms
	// 120 /s
	// 97.0 %
	// 16 threads
}

func TestNumbersReadAsTheScreensPromise(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ got, want string }{
		{quantity.Format(0, "s"), "0 s"},
		{quantity.Format(0.0009996, "s"), "1.00 ms"},
		{quantity.Format(1.5e-6, "s"), "1.50 µs"},
		{quantity.Format(3725, "s"), "3725 s"},
		{quantity.Format(math.NaN(), "s"), "– s"},
		{quantity.Interval(0.0482, 0.0469, 0.0495, "s"), "48.2 ms [46.9, 49.5]"},
		{quantity.Interval(1.204, 0.998, 1.41, "s"), "1.20 s [1.00, 1.41]"},
		{quantity.Interval(3e-6, -83.86e-6, 89.86e-6, "s"), "3.0 µs [−83.9, 89.9]"},
		{quantity.Interval(0.4e-6, -83.86e-6, 84.66e-6, "s"), "0.4 µs [−83.9, 84.7]"},
		{quantity.Interval(0.002, 0.001, math.Inf(1), "s"), "2.00 ms (at least 1.00)"},
		{quantity.HalfWidth(0.0482, 0.0013, "s"), "48.2 ± 1.3 ms"},
		{quantity.Change(0.031), "+3.1 %"},
		{quantity.Change(-0.31), "−31.0 %"},
		{quantity.Change(2.45), "+245 %"},
		{quantity.ChangeInterval(0.076, -0.0002, 0.0981), "+7.6 % [<0.1, +9.8]"},
		{quantity.Change(0.0001), "<0.1 %"},
		{quantity.Change(math.NaN()), "–"},
		{quantity.Share(0.004), "<0.5 %"},
		{quantity.Share(0), "0.0 %"},
		{quantity.Share(0.97), "97 %"},
		{quantity.PlusMinus(0.0024), "±0.2 %"},
		{quantity.PlusMinus(0.0003), "±0.1 %"},
		{quantity.PlusMinus(0.26), "±26 %"},
		{quantity.PlusMinus(math.Inf(1)), "±∞"},
		{quantity.Count(1234567), "1\u2009234\u2009567"},
		{quantity.Count(1234), "1234"},
		{quantity.Digits(9.996, 3), "10.0"},
		{quantity.Digits(-0.001, 1), "−0.001"},
		{quantity.Fixed(-0.0001, 2), "0.00"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}

func TestOneScaleServesAWholeColumn(t *testing.T) {
	t.Parallel()
	s := quantity.For("s", 1.526)
	if s.Unit != "s" || s.Divisor != 1 {
		t.Errorf("a column whose largest value is 1.526 s is shown in %q / %g, want s", s.Unit, s.Divisor)
	}
	if s := quantity.For("B", 3.2e6); s.Unit != "MB" {
		t.Errorf("3.2 million bytes are shown in %q, want MB", s.Unit)
	}
	if s := quantity.For("1/s", 0.02); s.Divisor != 1 {
		t.Errorf("rates are scaled by %g: they never are", s.Divisor)
	}
}
