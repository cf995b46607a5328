package trace

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
)

// Words of a load's Command that stand for what it is told; Results is the file that it may leave its results in.
const (
	WordAddress     = "{address}"     // host:port of the server
	WordRate        = "{rate}"        // requests per second; 0: a closed loop
	WordConnections = "{connections}" // users of the closed loop; 0: an open one
	WordThink       = "{think}"       // s
	WordWarmup      = "{warmup}"      // s, from the start of the command
	WordDuration    = "{duration}"    // s, of the work phase
	WordSeconds     = "{seconds}"     // warm-up and work phase: how long it has to send
	WordSeed        = "{seed}"
	WordResults     = "{results}"
)

var word = regexp.MustCompile(`\$?\{[a-z]+\}`) // of the shell's own, ${name}, nothing is replaced

// Told is the command with its words replaced. An error names a word that means nothing.
func (l *Load) Told(results string) (string, error) {
	number := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }
	says := map[string]string{
		WordAddress: l.Address(), WordRate: number(l.Rate), WordConnections: strconv.Itoa(l.Connections), WordThink: number(l.Think),
		WordWarmup: number(l.Warmup), WordDuration: number(l.Duration), WordSeconds: number(l.Warmup + l.Duration),
		WordSeed: strconv.FormatUint(l.Seed, 10), WordResults: results,
	}
	var unknown string
	told := word.ReplaceAllStringFunc(l.Command, func(w string) string {
		text, ok := says[w]
		switch {
		case w[0] == '$':
			return w
		case !ok:
			unknown = w
		}
		return text
	})
	if unknown != "" {
		return "", fmt.Errorf("the load command has %s, which means nothing: %s, %s, %s, %s, %s, %s, %s, %s and %s do", unknown, WordAddress, WordRate,
			WordConnections, WordThink, WordWarmup, WordDuration, WordSeconds, WordSeed, WordResults)
	}
	return told, nil
}

// Hears reports whether a load can be told what a word stands for: a command only if it has the word.
func (l *Load) Hears(word string) bool { return l.Command == "" || strings.Contains(l.Command, word) }

// Lines reports whether requests are lines of text, each answered by one or more.
func (l *Load) Lines() bool { return l.Command == "" && strings.HasPrefix(l.URL, "tcp://") }

// Awaited is where a server has to answer before it gets the load: a URL of HTTP, or host:port.
func (l *Load) Awaited() string {
	switch {
	case l.Ready != "":
		return l.Ready
	case l.Lines():
		return l.Address()
	}
	return l.URL
}

// Address is the host:port of the server.
func (l *Load) Address() string {
	_, address, found := strings.Cut(l.URL, "://")
	if !found {
		return l.URL
	}
	address, _, _ = strings.Cut(address, "/")
	return address
}
