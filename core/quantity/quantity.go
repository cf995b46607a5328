// Package quantity writes numbers with units the way every screen, table and
// figure of Tierscope shows them: one unit per column or axis, three
// significant digits, SI prefixes instead of powers of ten, a sign on every
// difference, and an interval whose digits match its value.
//
//	quantity.Format(0.0482, "s")                          "48.2 ms"
//	quantity.Interval(0.0482, 0.0469, 0.0495, "s")        "48.2 ms [46.9, 49.5]"
//	quantity.Change(0.031)                                "+3.1 %"
//
// Files do not use it: they hold base SI units with a decimal point.
package quantity

import (
	"math"
	"strconv"
	"strings"
)

// Scale is a unit chosen for a whole column or axis: shown = value / Divisor,
// followed by Unit.
type Scale struct {
	Divisor float64
	Unit    string
}

// prefixes are the SI prefixes in use, from the largest down.
var prefixes = []struct {
	factor float64
	symbol string
}{{1e9, "G"}, {1e6, "M"}, {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}}

// For returns the scale in which the largest magnitude of a column or axis
// reads between 1 and 1000. Seconds go up to "s" and not beyond, rates and
// bytes not below their base unit; "1" (a ratio) is shown in per cent; other
// units, such as "threads", are never scaled.
func For(unit string, largest float64) Scale {
	lowest, highest := 1.0, 1.0
	switch unit {
	case "1", "ratio":
		return Scale{Divisor: 0.01, Unit: "%"}
	case "s":
		lowest = 1e-9
	case "1/s", "/s":
		return Scale{Divisor: 1, Unit: "/s"}
	case "B":
		highest = 1e9
	default:
		return Scale{Divisor: 1, Unit: unit}
	}
	largest = math.Abs(largest)
	if largest == 0 || math.IsNaN(largest) || math.IsInf(largest, 0) {
		return Scale{Divisor: 1, Unit: unit}
	}
	for _, p := range prefixes {
		if p.factor > highest || p.factor < lowest {
			continue
		}
		// 0.9995 rounds to 1.00 in the larger unit already.
		if largest >= 0.9995*p.factor || p.factor == lowest {
			return Scale{Divisor: p.factor, Unit: p.symbol + unit}
		}
	}
	return Scale{Divisor: 1, Unit: unit}
}

// Format returns value with three significant digits and its unit; a whole
// number of things that are not scaled, such as threads, has no decimals, and
// one of them is a thread.
func Format(value float64, unit string) string {
	s := For(unit, value)
	if s.Unit == unit && unit != "s" && value == math.Trunc(value) {
		if value == 1 {
			unit = strings.TrimSuffix(unit, "s")
		}
		return join(Fixed(value, 0), unit)
	}
	return join(Digits(value/s.Divisor, 3), s.Unit)
}

// Plural returns a number of things, which have their name in the singular:
// "1 replication", "10 replications".
func Plural(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(int64(n)) + " " + thing + "s"
}

// Interval returns a value with its interval in one unit and to the same
// decimals: "48.2 ms [46.9, 49.5]", as many as suit a value that is smaller than how
// far the interval reaches: "3.0 µs [−83.9, 89.9]". An interval that is open on one side is
// written as the limit that it has: "48.2 ms (at least 46.9)".
func Interval(mean, lo, hi float64, unit string) string {
	largest := math.Abs(mean)
	if half := max(mean-lo, hi-mean); half > largest && !math.IsInf(half, 0) {
		largest = half
	}
	s := For(unit, largest)
	decimals := Decimals(largest/s.Divisor, 3)
	number := func(v float64) string { return Fixed(v/s.Divisor, decimals) }
	value := join(number(mean), s.Unit)
	switch below, above := math.IsInf(lo, -1), math.IsInf(hi, 1); {
	case below && above:
		return value + " (no interval yet)"
	case above:
		return value + " (at least " + number(lo) + ")"
	case below:
		return value + " (at most " + number(hi) + ")"
	}
	return value + " [" + number(lo) + ", " + number(hi) + "]"
}

// Amount is Interval of what cannot be negative, such as a time or a
// utilization: a lower limit below zero says no more than zero.
func Amount(mean, lo, hi float64, unit string) string {
	return Interval(mean, AtLeastZero(lo, mean), hi, unit)
}

// AtLeastZero is the lower limit of a value that is not negative, and cannot be; one that is not known stays so.
func AtLeastZero(lo, value float64) float64 {
	if value >= 0 && !math.IsInf(lo, -1) {
		return max(lo, 0)
	}
	return lo
}

// HalfWidth returns a value with a symmetric interval: "48.2 ± 1.3 ms".
func HalfWidth(mean, half float64, unit string) string {
	s := For(unit, mean)
	decimals := Decimals(mean/s.Divisor, 3)
	return join(Fixed(mean/s.Divisor, decimals)+" ± "+Fixed(half/s.Divisor, decimals), s.Unit)
}

// Change returns a relative difference as a signed percentage; one that is
// not zero but would print as zero reads "<0.1 %".
func Change(ratio float64) string {
	switch p := 100 * ratio; {
	case math.IsNaN(p):
		return "–"
	case math.IsInf(p, 0):
		return Fixed(p, 0) + " %"
	case p != 0 && math.Abs(p) < 0.05:
		return "<0.1 %"
	case math.Abs(p) >= 99.95:
		return sign(p) + Fixed(math.Abs(p), 0) + " %"
	default:
		return sign(p) + Fixed(math.Abs(p), 1) + " %"
	}
}

// ChangeInterval returns a relative difference with its interval, the per cent
// sign once: "+7.6 % [+7.4, +7.8]".
func ChangeInterval(mean, lo, hi float64) string {
	bound := func(v float64) string { return strings.TrimSuffix(Change(v), " %") }
	return Change(mean) + " [" + bound(lo) + ", " + bound(hi) + "]"
}

// Share returns a fraction of a whole in per cent; a small one that is not
// zero reads "<0.5 %".
func Share(fraction float64) string {
	switch p := 100 * fraction; {
	case math.IsNaN(p):
		return "–"
	case p > 0 && p < 0.5:
		return "<0.5 %"
	case p < 10:
		return Fixed(p, 1) + " %"
	default:
		return Fixed(p, 0) + " %"
	}
}

// PlusMinus returns how far an interval reaches to each side, relative to its
// middle, "±2.4 %"; less than 0.1 % reads "±0.1 %".
func PlusMinus(ratio float64) string {
	switch p := 100 * ratio; {
	case math.IsInf(p, 0) || math.IsNaN(p):
		return "±∞"
	case p < 10:
		return "±" + Fixed(max(p, 0.1), 1) + " %"
	default:
		return "±" + Fixed(p, 0) + " %"
	}
}

// Count returns a whole number with thin spaces between the thousands.
func Count(n int64) string { return Fixed(float64(n), 0) }

// Digits returns v with the given number of significant digits, without an
// exponent.
func Digits(v float64, significant int) string { return Fixed(v, Decimals(v, significant)) }

// Decimals returns how many decimals show v with the given number of
// significant digits.
func Decimals(v float64, significant int) int {
	v = math.Abs(v)
	if v == 0 || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0
	}
	d := significant - 1 - int(math.Floor(math.Log10(v)))
	// 9.996 has one digit more once it is rounded.
	if d > 0 && math.Round(v*math.Pow10(d))/math.Pow10(d) >= math.Pow10(significant-d) {
		d--
	}
	return max(d, 0)
}

// Fixed returns v with the given decimals, thin spaces between thousands, and
// the words of a reader for what is not a number.
func Fixed(v float64, decimals int) string {
	switch {
	case math.IsNaN(v):
		return "–"
	case math.IsInf(v, 1):
		return "∞"
	case math.IsInf(v, -1):
		return "−∞"
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, fraction, _ := strings.Cut(text, ".")
	if len(whole) > 4 {
		var b strings.Builder
		for i, r := range whole {
			if i > 0 && (len(whole)-i)%3 == 0 {
				b.WriteRune('\u2009')
			}
			b.WriteRune(r)
		}
		whole = b.String()
	}
	if fraction != "" {
		whole += "." + fraction
	}
	if v < 0 && strings.Trim(text, "0.") != "" {
		whole = "−" + whole
	}
	return whole
}

func sign(v float64) string {
	if v < 0 {
		return "−"
	}
	return "+"
}

func join(number, unit string) string {
	if unit == "" {
		return number
	}
	return number + " " + unit
}
