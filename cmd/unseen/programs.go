//go:build unix

package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// program is a program with what who wrote it knows of it.
type program struct {
	Language string // "go", "java", "c": the last of C++ and Rust as well
	Name     string
	Args     []string
	Env      []string // NAME=VALUE
	Grid     []string // axes of its measurements, beside the cores
	Pools    []int    // sizes of the pools that work, sorted; those of one thread are left out
	Each     int      // pools that have a thread for each piece of work
	Queues   int      // through which tasks go; −1: not said
	Locks    []string // kinds of locks that threads wait for
	Knobs    []string // what the model has to let an analyst turn
	Other    []string // what changes what the program does too, but is not to be seen in one run
}

// title is what rows call a program.
func (p *program) title() string { return p.Language + " " + p.Name }

// parse reads programs: a line with language, name and arguments, and lines below it,
// indented, with a word that says what they are.
func parse(text string) (ps []program, err error) {
	for n, line := range strings.Split(text, "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 0 || words[0][0] == '#':
		case line[0] != '\t' && len(words) < 2:
			return nil, fmt.Errorf("line %d: expected a language and a name", n+1)
		case line[0] != '\t':
			ps = append(ps, program{Language: words[0], Name: words[1], Args: words[2:], Queues: -1})
		case len(ps) == 0:
			return nil, fmt.Errorf("line %d: it belongs to no program", n+1)
		default:
			if err := ps[len(ps)-1].says(words[0], words[1:]); err != nil {
				return nil, fmt.Errorf("line %d: %w", n+1, err)
			}
		}
	}
	return ps, nil
}

func (p *program) says(what string, words []string) error {
	switch what {
	case "grid":
		p.Grid = words
	case "env":
		p.Env = words
	case "locks":
		p.Locks = words
	case "knobs":
		p.Knobs = words
	case "other":
		p.Other = words
	case "pools", "queues":
		var ns []int
		for _, w := range words {
			if what == "pools" && w == "each" {
				p.Each++
				continue
			}
			n, err := strconv.Atoi(w)
			if err != nil {
				return fmt.Errorf("%s: %w", what, err)
			}
			ns = append(ns, n)
		}
		if what == "pools" {
			slices.Sort(ns)
			p.Pools = ns
			return nil
		}
		if len(ns) != 1 {
			return fmt.Errorf("queues: one number is expected")
		}
		p.Queues = ns[0]
	default:
		return fmt.Errorf("%q is none of env, grid, pools, queues, locks, knobs, other", what)
	}
	return nil
}
