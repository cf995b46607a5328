package core

import (
	"fmt"
	"slices"
	"strings"
)

// quoteAll lists names for an error message: "a", "b", "c".
func quoteAll[S ~string](names []S) string {
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = fmt.Sprintf("%q", n)
	}
	return strings.Join(quoted, ", ")
}

// mostNames is how many names an error message lists.
const mostNames = 12

// suggest ends an error message about an unknown name: the closest names that
// exist, or all when there are few.
func suggest[S ~string](name S, existing []S) string {
	if len(existing) == 0 {
		return "none is defined"
	}
	if near := nearest(string(name), existing); len(near) > 0 {
		return "did you mean " + strings.ReplaceAll(quoteAll(near), ", ", " or ") + "?"
	}
	if len(existing) > mostNames {
		return fmt.Sprintf("there are %s and %d more", quoteAll(existing[:mostNames]), len(existing)-mostNames)
	}
	return "there is " + quoteAll(existing)
}

// nearest returns up to three existing names that few typing errors separate
// from name.
func nearest[S ~string](name string, existing []S) []S {
	type candidate struct {
		name     S
		distance int
	}
	var found []candidate
	for _, e := range existing {
		limit := 1 + max(len(name), len(e))/4
		if d := editDistance(strings.ToLower(name), strings.ToLower(string(e)), limit); d <= limit {
			found = append(found, candidate{e, d})
		}
	}
	slices.SortStableFunc(found, func(a, b candidate) int { return a.distance - b.distance })
	var names []S
	for _, c := range found[:min(3, len(found))] {
		names = append(names, c.name)
	}
	return names
}

// editDistance is the Levenshtein distance of a and b, or any number above
// limit when it is above limit.
func editDistance(a, b string, limit int) int {
	if diff := len(a) - len(b); diff > limit || -diff > limit {
		return limit + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := diagonal
			if a[i] != b[j] {
				cost++
			}
			diagonal = row[j+1]
			row[j+1] = min(cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
