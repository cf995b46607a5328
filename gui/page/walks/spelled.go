package walks

import (
	"strings"

	"tierscope/core"
)

// alphabet has a letter for each of the operations of a pool whose shapes are spelled.
const alphabet = "abcdefghijklmnopqrstuvwxyz"

// spelled says shapes by a letter for each of their operations, and what the letters mean: those of the same few
// operations are told apart by their order, which words do not have the room for. A shape of one operation is said in
// words, and so are all shapes where there are more operations than letters.
func spelled(shapes []core.Shape) (says []string, letters string) {
	index := map[string]int{}
	var meanings []string
	for i := range shapes {
		says = append(says, shapes[i].Says(widest))
		for _, operation := range shapes[i].Does {
			if _, ok := index[operation]; !ok && len(shapes[i].Does) > 1 {
				index[operation] = len(index)
				meanings = append(meanings, operation)
			}
		}
	}
	if len(shapes) < 2 || len(index) > len(alphabet) {
		return says, ""
	}
	for i := range shapes {
		if len(shapes[i].Does) < 2 {
			continue
		}
		var word strings.Builder
		for _, operation := range shapes[i].Does {
			word.WriteByte(alphabet[index[operation]])
		}
		says[i] = word.String()
	}
	for i, meaning := range meanings {
		meanings[i] = alphabet[i:i+1] + " " + meaning
	}
	return says, strings.Join(meanings, " · ")
}
