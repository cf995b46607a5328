package trace

import "slices"

// Function is one of the program's own functions that it can reach.
type Function struct {
	Name  string `json:"name"`
	Code  string `json:"code"`            // the same as long as it does the same, wherever it stands
	Calls []int  `json:"calls,omitempty"` // indexes of functions that its thread executes for it
}

// Edited returns what tells of a function of the new build which functions its threads execute in it, itself
// first, that the old build has not, or has with other code. It is nil if one of the scans does not know the code.
func Edited(before, after *Facts) func(function string) []string {
	if before == nil || after == nil || len(before.Code) == 0 || len(after.Code) == 0 {
		return nil
	}
	old := map[string]string{}
	for _, f := range before.Code {
		old[f.Name] = f.Code
	}
	index := map[string]int{}
	for i, f := range after.Code {
		index[f.Name] = i
	}
	return func(function string) (edited []string) {
		first, ok := index[function]
		if !ok {
			return nil
		}
		seen := map[int]bool{first: true}
		for next := []int{first}; len(next) > 0; next = next[1:] {
			f := after.Code[next[0]]
			if old[f.Name] != f.Code && !slices.Contains(edited, f.Name) {
				edited = append(edited, f.Name)
			}
			for _, c := range f.Calls {
				if !seen[c] {
					seen[c] = true
					next = append(next, c)
				}
			}
		}
		return edited
	}
}
