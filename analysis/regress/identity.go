package regress

import (
	"math"
	"slices"
	"strings"
	"unicode"
)

// identifies says why a variable only tells runs apart and explains nothing, such
// as an inode number or a seed; "" if it may be an input. Random identities explain
// any behaviour of a few runs by chance.
func identifies(name string, values []float64) string {
	words := wordsOf(name)
	last := words[len(words)-1]
	switch {
	case slices.ContainsFunc(words, func(w string) bool { return slices.Contains(identityWords, w) }):
		return "identifies a run or an object, by its name"
	case len(words) > 1 && slices.Contains(identityWords, words[len(words)-2]+last):
		return "identifies a run or an object, by its name"
	case distinct(values) <= len(values)/2:
		return "" // it repeats
	case addresses(values):
		return "addresses, by its values"
	case epochs(values):
		return "times of the day, by its values"
	case last == "time" && slices.IsSorted(values) && slices.Max(values) < 2*slices.Min(values):
		return "times of the day, by its name and order"
	}
	return ""
}

// identityWords name what the system or chance numbers.
var identityWords = []string{"seed", "srand", "inode", "ino", "fd", "fileno", "descriptor", "pid", "ppid", "tid", "gettid", "uid", "gid", "addr", "address",
	"ptr", "pointer", "uuid", "guid", "nonce", "checksum", "crc", "timestamp", "mtime", "ctime", "atime", "epoch", "now", "rdev", "starttime", "walltime",
	"nanotime", "unixnano", "threadid", "processid", "objectid", "hashcode", "identityhash"}

// wordsOf splits the last part of a name, main.startTime, at underscores and
// capitals, in lower case.
func wordsOf(name string) []string {
	if i := strings.LastIndexAny(name, ".>"); i >= 0 && i < len(name)-1 {
		name = name[i+1:]
	}
	var words []string
	start := true
	lower := false
	for _, r := range name {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			start, lower = true, false
			continue
		case start || unicode.IsUpper(r) && lower:
			words = append(words, "")
		}
		start, lower = false, unicode.IsLower(r) || unicode.IsDigit(r)
		words[len(words)-1] += string(unicode.ToLower(r))
	}
	if len(words) == 0 {
		return []string{""}
	}
	return words
}

func distinct(values []float64) int {
	seen := map[float64]bool{}
	for _, v := range values {
		seen[v] = true
	}
	return len(seen)
}

const (
	leastAddress = 1 << 32 // above what programs of 32 bits have, and most sizes
	alignment    = 8       // of objects, in bytes
	mostRelative = 16      // between the least and the largest address of a region
)

// addresses reports whether values look like those of pointers: large, aligned
// and in one region.
func addresses(values []float64) bool {
	for _, v := range values {
		if v < leastAddress || math.Mod(v, alignment) != 0 {
			return false
		}
	}
	return slices.Max(values) < mostRelative*slices.Min(values) && slices.Max(values) > 1<<36
}

// Seconds since 1970 of the years 2001 and 2065, between which programs of today run.
const firstEpoch, lastEpoch = 1e9, 3e9

// epochs reports whether values look like times of the day in s, ms, µs or ns that
// are close to one another.
func epochs(values []float64) bool {
	for _, unit := range []float64{1, 1e3, 1e6, 1e9} {
		lo, hi := slices.Min(values)/unit, slices.Max(values)/unit
		if lo > firstEpoch && hi < lastEpoch && hi-lo < 0.1*lo {
			return true
		}
	}
	return false
}
