package experiment

import (
	"fmt"
	"hash/fnv"
	"math"
	"strconv"
	"strings"

	"tierscope/simulation/des"
)

// Shard is a part of an experiment: the runs whose settings have one of Of hashes. What belongs to a shard depends on the
// settings only, not on their order; equal ones are in one shard. The zero value is the whole experiment.
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

// Has reports whether the run with some settings belongs to the shard.
func (s Shard) Has(settings map[string]float64) bool {
	if s.Of == 0 {
		return true
	}
	sum := uint64(0) // of hashes: the order does not matter
	for name, v := range settings {
		h := fnv.New64a()
		_, _ = h.Write([]byte(name)) // never fails
		sum += des.Mix(h.Sum64() ^ des.Mix(math.Float64bits(v)))
	}
	return des.Mix(sum)%uint64(s.Of) == uint64(s.Number-1)
}
