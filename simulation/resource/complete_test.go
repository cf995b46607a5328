package resource

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"tierscope/core"
)

// variants lists every lock that New makes, as a story declares it.
func variants() map[string]core.Lock {
	out := map[string]core.Lock{}
	for _, f := range []core.Fairness{core.Fair, core.Barging, core.GoMutex} {
		out["mutex "+string(f)] = core.Lock{Kind: core.Mutex, Fairness: f}
		if f != core.GoMutex {
			out["monitor "+string(f)] = core.Lock{Kind: core.Monitor, Fairness: f}
			out["semaphore "+string(f)] = core.Lock{Kind: core.Semaphore, Fairness: f, Permits: 1}
		}
	}
	for name, p := range map[string]core.Preference{"go": core.GoRW, "java fair": core.JavaFair, "java": core.JavaUnfair, "read first": core.ReadFirst} {
		out["rwlock "+name] = core.Lock{Kind: core.RWLock, Preference: p}
	}
	elsewhere := []core.LockKind{core.Condition, core.BlockingQueue, core.Channel, core.Exchanger} // see below
	for _, k := range core.LockKinds() {
		if !k.Held() && !slices.Contains(elsewhere, k) {
			out[string(k)] = core.Lock{Kind: k, Parties: 2}
		}
	}
	return out
}

// The table of this package has the kinds that core's has.
func TestEveryKindOfLockIsMade(t *testing.T) {
	t.Parallel()
	tab := NewTable(nil, 1)
	for _, k := range core.LockKinds() {
		on, _ := New(tab, core.Lock{Kind: core.Mutex}, nil)
		if l, err := New(tab, core.Lock{Kind: k, Permits: 1, Parties: 1}, on); l == nil || err != nil {
			t.Errorf("a lock of kind %q: %v, %v", k, l, err)
		}
	}
	if n, want := len(kinds), len(core.LockKinds()); n != want {
		t.Errorf("%d kinds are made, %d exist", n, want)
	}
}

// Every kind of lock, with every rule that it has, is told in a story and
// compared with a plain reference. Queues, channels and selects have the
// property of their own in queue_property_test.go, exchangers and joins in
// join_exchange_property_test.go, condition variables three of the exams.
func TestEveryKindOfLockHasAStoryAndAReference(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/locks/*.txt")
	if err != nil {
		t.Fatal(err)
	}
	told := ""
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		told += string(text)
	}
	for _, kind := range core.LockKinds() {
		if !declared(told, string(kind), " "+string(kind)) {
			t.Errorf("no story has a lock of kind %q", kind)
		}
	}
	for _, l := range variants() {
		for _, rule := range []string{string(l.Fairness), string(l.Preference)} {
			standard := rule == "" || rule == string(core.Fair) || rule == string(core.GoRW) && l.Kind == core.RWLock
			if !standard && !declared(told, string(l.Kind), "="+rule) {
				t.Errorf("no story has a %s with rule %q", l.Kind, rule)
			}
		}
	}
	all := exams()
	for name := range variants() {
		if name == "latch" {
			name = "countdown latch"
		}
		if all[name] == nil {
			t.Errorf("no reference for %q", name)
		}
	}
	for _, name := range []string{"condition on a fair mutex", "condition on a go mutex", "condition on a monitor", "wait group", "barrier with timeouts"} {
		if all[name] == nil {
			t.Errorf("no reference for %q", name)
		}
	}
}

// declared reports whether a line "lock ID KIND …" declares a lock with the rule.
func declared(stories, kind, rule string) bool {
	for line := range strings.Lines(stories) {
		line, _, _ = strings.Cut(line, "#")
		if words := strings.Fields(line); len(words) > 2 && words[0] == "lock" && words[2] == kind && strings.Contains(strings.Join(words, " ")+" ", rule+" ") {
			return true
		}
	}
	return false
}
