package experiment

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"
)

// Shard is a part of an experiment: the runs of every Of-th ID. What belongs to a shard depends on the runs
// only, not on their order; equal configurations are in one shard.
type Shard struct{ Number, Of int } // 1 ≤ Number ≤ Of

// mostShards bounds an experiment, against typing errors.
const mostShards = 100_000

// ParseShard reads "3/8".
func ParseShard(text string) (Shard, error) {
	number, of, ok := strings.Cut(text, "/")
	i, err := strconv.Atoi(number)
	n, err2 := strconv.Atoi(of)
	if !ok || err != nil || err2 != nil || i < 1 || n < i || n > mostShards {
		return Shard{}, fmt.Errorf("shard %q: give NUMBER/OF, such as 3/8 for the third of eight", text)
	}
	return Shard{i, n}, nil
}

// Has reports whether the run with an ID belongs to the shard.
func (s Shard) Has(id string) bool {
	k := keyOf(id)
	return binary.BigEndian.Uint64(k[:])%uint64(s.Of) == uint64(s.Number-1)
}

// Shard returns the part of a plan that belongs to a shard.
func (r *Runner) Shard(p *Plan, s Shard) *Plan {
	part := &Plan{Experiment: p.Experiment}
	for _, point := range p.Points {
		if !s.Has(point.ID) {
			continue
		}
		part.Points = append(part.Points, point)
		if point.Known {
			part.Known++
		}
	}
	part.Remaining = r.forecast(len(part.Points) - part.Known)
	return part
}
