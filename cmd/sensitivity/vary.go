package main

import (
	"fmt"
	"go/constant"
	"go/token"
	"os"
	"strconv"
	"strings"
)

// Way is how a number is varied.
type Way string

// Ways. A share above one half is not doubled, what it lacks to the whole is halved: a
// share above one would be none. Of a factor between one and two, what it has beyond
// one is halved and doubled. A grid has every other value, or one more between two.
const (
	Halved  Way = "halved"
	Doubled Way = "doubled"
)

// Varied returns the text of a constant's file with the constant varied, and what its value is then.
func (c Constant) Varied(w Way) (source, value string, err error) {
	data, err := os.ReadFile(c.file)
	if err != nil {
		return "", "", err
	}
	if c.Class == Grid {
		values := c.grid(w)
		first, last := c.spots[0], c.spots[len(c.spots)-1]
		return string(data[:first.from]) + strings.Join(values, ", ") + string(data[last.to:]), tableOf(len(values)), nil
	}
	var b strings.Builder
	past := 0
	for _, s := range c.spots {
		b.Write(data[past:s.from])
		fmt.Fprintf(&b, w.format(s.value), data[s.from:s.to])
		past = s.to
	}
	b.Write(data[past:])
	if len(c.spots) > 1 && c.Value == tableOf(len(c.spots)) {
		return b.String(), "all " + string(w), nil
	}
	return b.String(), w.of(c.spots[0].value), nil
}

// format is how the source has the varied number. The quotient of two whole numbers is one.
func (w Way) format(v constant.Value) string {
	switch {
	case w == Halved && between(v, 1, 2), w == Doubled && between(v, 0.5, 1):
		return "((1 + (%s)) / 2)"
	case w == Halved:
		return "((%s) / 2)"
	case between(v, 1, 2):
		return "((%s)*2 - 1)"
	default:
		return "((%s) * 2)"
	}
}

// of is the varied number.
func (w Way) of(v constant.Value) string {
	one, two, quotient := constant.MakeInt64(1), constant.MakeInt64(2), token.QUO
	if v.Kind() == constant.Int {
		quotient = token.QUO_ASSIGN // of whole numbers
	}
	switch {
	case w == Halved && between(v, 1, 2), w == Doubled && between(v, 0.5, 1):
		v = constant.BinaryOp(constant.BinaryOp(v, token.ADD, one), token.QUO, two)
	case w == Halved:
		v = constant.BinaryOp(v, quotient, two)
	case between(v, 1, 2):
		v = constant.BinaryOp(constant.BinaryOp(v, token.MUL, two), token.SUB, one)
	default:
		v = constant.BinaryOp(v, token.MUL, two)
	}
	return decimal(v)
}

// between reports whether a number that is not a whole one is between two others.
func between(v constant.Value, low, high float64) bool {
	x, _ := constant.Float64Val(constant.ToFloat(v))
	return v.Kind() == constant.Float && x > low && x < high
}

func decimal(v constant.Value) string {
	x, _ := constant.Float64Val(constant.ToFloat(v))
	return strconv.FormatFloat(x, 'g', 6, 64)
}

// grid is a grid that is half as dense, with both ends, or twice as dense.
func (c Constant) grid(w Way) []string {
	var out []string
	for i, s := range c.spots {
		switch {
		case w == Doubled && i > 0:
			sum := constant.BinaryOp(c.spots[i-1].value, token.ADD, s.value)
			out = append(out, decimal(constant.BinaryOp(sum, token.QUO, constant.MakeInt64(2))))
		case w == Halved && i%2 == 1 && i < len(c.spots)-1:
			continue
		}
		out = append(out, decimal(s.value))
	}
	return out
}

// tableOf is what stands for the value of a table.
func tableOf(n int) string { return fmt.Sprintf("%d numbers", n) }
