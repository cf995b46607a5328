package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// A comment names the source of a number in one of these forms:
//
//	Tarvo & Reiss 2014, §4.3.1               a paper of docs/references.md, RFC 896, prctl(2)
//	Theory: told by chance once in 2⁸        a law, or the probability of an error
//	Measured: 60 µs for a thread of a JVM    what we measured
//	Convention, sensitivity none             somebody had to choose; how much it matters
var (
	stated     = regexp.MustCompile(`\b([Tt]heory|[Mm]easured): \S|\bRFC \d|\b[a-z_]+\([2-8]\)`)
	convention = regexp.MustCompile(`\b[Cc]onvention(?: of [^.;:]+)?, sensitivity (none|slight|strong)\b`)
	reference  = regexp.MustCompile(`(?m)^- \*\*(.+?)\*\*:`)
)

// References are the short names of docs/references.md.
func References(page string) []string {
	var out []string
	for _, m := range reference.FindAllStringSubmatch(page, -1) {
		out = append(out, m[1])
	}
	return out
}

// Source reports what is wrong with how the comment of a constant names its source; entry
// is what the constant decides.
func (c Constant) Source(references []string, entry Entry) error {
	if m := convention.FindStringSubmatch(c.Comment); m != nil {
		if Weight(m[1]) != entry.Weight() {
			return fmt.Errorf("its comment says sensitivity %s; by the table it is %s", m[1], entry.Weight())
		}
		return nil
	}
	named := slices.ContainsFunc(references, func(r string) bool { return strings.Contains(c.Comment, r) })
	if named || stated.MatchString(c.Comment) {
		return nil
	}
	return fmt.Errorf("its comment names no source: a paper of docs/references.md, \"Theory: …\", \"Measured: …\" or \"Convention, sensitivity %s\"", entry.Weight())
}
