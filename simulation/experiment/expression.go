package experiment

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Expression is a formula over named numbers, such as "workers >= cores" or
// "cores + 0.05*workers". It has + − * / with the usual precedence,
// comparisons (<= >= < > == !=), && || ! and parentheses; a comparison is 1
// or 0, and 0 is false. Names with other characters than letters, digits and
// underscores are written in quotes: "pools/worker/size".
type Expression struct {
	text  string
	root  node
	names []string
}

// node is a parsed operation. op "" with a name is a variable, without a
// name a number.
type node struct {
	op          string
	left, right *node
	name        string
	value       float64
}

// Parse reads an expression.
func Parse(text string) (*Expression, error) {
	p := parser{text: text}
	p.next()
	root, err := p.binary(0)
	if err == nil && p.token != "" {
		err = p.errorf("unexpected %q", p.token)
	}
	if err != nil {
		return nil, fmt.Errorf("expression %q: %w", text, err)
	}
	slices.Sort(p.names)
	return &Expression{text, *root, slices.Compact(p.names)}, nil
}

// String returns the expression as it was written.
func (e *Expression) String() string { return e.text }

// Names returns the names that the expression uses, sorted.
func (e *Expression) Names() []string { return e.names }

// Eval returns the value of the expression. The error names a name that
// values does not have.
func (e *Expression) Eval(values map[string]float64) (float64, error) {
	for _, n := range e.names {
		if _, ok := values[n]; !ok {
			return math.NaN(), fmt.Errorf("expression %q: %q has no value", e.text, n)
		}
	}
	return e.root.eval(values), nil
}

func (n *node) eval(values map[string]float64) float64 {
	switch n.op {
	case "":
		if n.name != "" {
			return values[n.name]
		}
		return n.value
	case "!":
		return truth(n.left.eval(values) == 0)
	case "neg":
		return -n.left.eval(values)
	case "&&":
		return truth(n.left.eval(values) != 0 && n.right.eval(values) != 0)
	case "||":
		return truth(n.left.eval(values) != 0 || n.right.eval(values) != 0)
	}
	a, b := n.left.eval(values), n.right.eval(values)
	switch n.op {
	case "+":
		return a + b
	case "-":
		return a - b
	case "*":
		return a * b
	case "/":
		return a / b
	case "<":
		return truth(a < b)
	case "<=":
		return truth(a <= b)
	case ">":
		return truth(a > b)
	case ">=":
		return truth(a >= b)
	case "==":
		return truth(a == b)
	case "!=":
		return truth(a != b)
	}
	panic("experiment: operator " + n.op)
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// levels are the binary operators from the loosest to the tightest binding.
var levels = [][]string{
	{"||"}, {"&&"}, {"<=", ">=", "==", "!=", "<", ">"}, {"+", "-"}, {"*", "/"},
}

// deepest bounds the nesting of an expression.
const deepest = 100

type parser struct {
	text   string
	at     int    // after token
	token  string // the current token; "" at the end
	kind   rune   // of token: 'n'umber, 'v'ariable, 'o'perator, '!' for a bad one
	names  []string
	nested int
}

func (p *parser) errorf(format string, args ...any) error {
	return fmt.Errorf("at character %d: %s", utf8.RuneCountInString(p.text[:p.at-len(p.token)])+1, fmt.Sprintf(format, args...))
}

// next reads the next token.
func (p *parser) next() {
	rest := strings.TrimLeftFunc(p.text[p.at:], unicode.IsSpace)
	p.at = len(p.text) - len(rest)
	take := func(n int, kind rune) {
		p.token, p.kind = rest[:n], kind
		p.at += n
	}
	if rest == "" {
		take(0, 'e')
		return
	}
	first, size := utf8.DecodeRuneInString(rest)
	switch {
	case first == '"' || first == '\'':
		if end := strings.IndexRune(rest[1:], first); end > 0 {
			take(end+2, 'v')
			return
		}
		take(size, '!')
	case unicode.IsLetter(first) || first == '_':
		end := strings.IndexFunc(rest, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
		if end < 0 {
			end = len(rest)
		}
		take(end, 'v')
	case first >= '0' && first <= '9' || first == '.':
		take(numberLength(rest), 'n')
	default:
		for _, ops := range levels {
			for _, op := range ops {
				if strings.HasPrefix(rest, op) {
					take(len(op), 'o')
					return
				}
			}
		}
		if strings.ContainsRune("()!", first) {
			take(1, 'o')
			return
		}
		take(size, '!')
	}
}

// numberLength returns the length of the decimal number at the start of s.
func numberLength(s string) int {
	i := 0
	digits := func() {
		for i < len(s) && (s[i] >= '0' && s[i] <= '9' || s[i] == '.') {
			i++
		}
	}
	digits()
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		exponent := i
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		from := i
		digits()
		if i == from {
			i = exponent
		}
	}
	return i
}

// binary parses operators of the given level and tighter ones.
func (p *parser) binary(level int) (*node, error) {
	if level == len(levels) {
		return p.unary()
	}
	left, err := p.binary(level + 1)
	for err == nil && p.kind == 'o' && slices.Contains(levels[level], p.token) {
		op := p.token
		p.next()
		var right *node
		if right, err = p.binary(level + 1); err == nil {
			left = &node{op: op, left: left, right: right}
		}
	}
	return left, err
}

func (p *parser) unary() (*node, error) {
	if p.nested++; p.nested > deepest {
		return nil, p.errorf("nested more than %d deep", deepest)
	}
	defer func() { p.nested-- }()
	token, kind := p.token, p.kind
	switch {
	case kind == 'n':
		v, err := strconv.ParseFloat(token, 64)
		if err != nil {
			return nil, p.errorf("%q is not a number", token)
		}
		p.next()
		return &node{value: v}, nil
	case kind == 'v':
		name := strings.Trim(token, `"'`)
		p.names = append(p.names, name)
		p.next()
		return &node{name: name}, nil
	case token == "(":
		p.next()
		n, err := p.binary(0)
		if err != nil {
			return nil, err
		}
		if p.token != ")" {
			return nil, p.errorf("expected \")\"")
		}
		p.next()
		return n, nil
	case token == "-" || token == "!":
		p.next()
		n, err := p.unary()
		if token == "-" {
			token = "neg"
		}
		return &node{op: token, left: n}, err
	case token == "":
		return nil, p.errorf("expected a number or a name at the end")
	}
	return nil, p.errorf("expected a number or a name instead of %q", token)
}
