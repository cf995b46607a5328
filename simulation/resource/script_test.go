package resource

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"tierscope/core"
	"tierscope/simulation/des"
)

// Every file in testdata/locks is a story about one kind of lock: what threads
// do, and after the colon what happens. See testdata/locks/README.md.
func TestLocksBehaveAsTheirStoriesTell(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/locks/*.txt")
	if err != nil || len(files) == 0 {
		t.Fatalf("no stories in testdata/locks: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			s := newStory()
			for i, line := range strings.Split(string(text), "\n") {
				line, _, _ = strings.Cut(line, "#")
				if line = strings.TrimSpace(line); line == "" {
					continue
				}
				if strings.HasPrefix(line, "story ") {
					clear(s.locks)
					continue
				}
				command, want, said := strings.Cut(line, ": ")
				got, err := s.do(strings.Fields(command))
				if err != nil {
					t.Fatalf("%s:%d: %s: %v", file, i+1, command, err)
				}
				if want = strings.TrimSpace(want); said && got != want {
					t.Fatalf("%s:%d: %s\n got: %s\nwant: %s", file, i+1, command, got, want)
				} else if !said && got != "" {
					t.Fatalf("%s:%d: %s: says nothing of what happens: %s", file, i+1, command, got)
				}
			}
		})
	}
}

// story is a host whose threads do what a text says.
type story struct {
	now    des.Time
	tab    *Table
	locks  map[string]Lock
	last   [26]Lock // where each thread has called last
	events []string
}

func newStory() *story {
	s := &story{locks: map[string]Lock{}}
	s.tab = NewTable(s, 26)
	return s
}

func (s *story) Now() des.Time { return s.now }

func (s *story) Resume(t Thread, o Outcome, item int32) {
	s.events = append(s.events, name(t)+" "+outcome(o, item))
}

func name(t Thread) string { return string(rune('a' + t)) }

func outcome(o Outcome, item int32) string {
	if item != NoItem {
		return fmt.Sprintf("%v %d", o, item)
	}
	return o.String()
}

// do executes one command and returns what happened.
func (s *story) do(words []string) (string, error) {
	s.events = nil
	switch words[0] {
	case "lock":
		return "", s.declare(words[1], words[2], words[3:])
	case "after":
		d, err := time.ParseDuration(words[1])
		s.now += des.Time(d)
		return "", err
	}
	t := Thread(words[0][0] - 'a')
	var result string
	switch verb := strings.Join(words[1:min(3, len(words))], " "); {
	case verb == "runs":
		result = outcome(s.last[t].Retry(t), NoItem)
	case verb == "times out":
		result = outcome(s.last[t].Cancel(t), NoItem)
	case words[1] == "select":
		var err error
		if result, err = s.choose(t, words[2:]); err != nil {
			return "", err
		}
	case words[1] == "leaves": // item words[3] leaves queue words[2]
		item, _ := strconv.Atoi(words[3])
		result = fmt.Sprint(s.locks[words[2]].(*Queue).Remove(int32(item)))
	default:
		try := words[1] == "tries"
		if try {
			words = words[1:]
		}
		lock, op, n, err := s.operation(words[1:])
		if err != nil {
			return "", err
		}
		s.last[t] = lock
		s.tab.slots[t].item = NoItem
		var o Outcome
		if try {
			o = lock.Try(t, op, n)
		} else {
			o = lock.Call(t, op, n)
		}
		result = outcome(o, NoItem)
		if o == Granted {
			result = outcome(o, s.tab.Item(t))
		}
	}
	return strings.Join(append([]string{result}, s.events...), ", "), nil
}

// operation reads "lock.op [n]".
func (s *story) operation(words []string) (Lock, Op, int32, error) {
	id, opName, _ := strings.Cut(words[0], ".")
	lock, ok := s.locks[id]
	op, known := OpOf(core.SyncOp(opName))
	if !ok || !known {
		return nil, 0, 0, fmt.Errorf("no lock or operation %q", words[0])
	}
	n := 0
	if len(words) > 1 {
		var err error
		if n, err = strconv.Atoi(words[1]); err != nil {
			return nil, 0, 0, err
		}
	}
	return lock, op, int32(n), nil
}

// choose reads cases "q.receive q.send=5", tried in this order, and "default".
func (s *story) choose(t Thread, words []string) (string, error) {
	var cases []Case
	var order []int32
	block := true
	for _, w := range words {
		if w == "default" {
			block = false
			continue
		}
		call, arg, _ := strings.Cut(w, "=")
		c := Case{}
		if call != "nil" {
			lock, op, _, err := s.operation([]string{call})
			if err != nil {
				return "", err
			}
			item, _ := strconv.Atoi(arg)
			c = Case{Queue: lock.(*Queue), Send: op == Send, Item: int32(item)}
			s.last[t] = lock
		}
		order = append(order, int32(len(cases)))
		cases = append(cases, c)
	}
	i, o := s.tab.Select(t, cases, order, block)
	if i < 0 {
		return o.String(), nil
	}
	return fmt.Sprintf("case %d %s", i, outcome(o, s.tab.Item(t))), nil
}

// declare makes a lock from "key=value" words.
func (s *story) declare(id, kind string, words []string) error {
	l := core.Lock{ID: id, Kind: core.LockKind(kind)}
	config := QueueConfig{}
	var on Lock
	for _, w := range words {
		key, value, _ := strings.Cut(w, "=")
		n, _ := strconv.Atoi(value)
		switch key {
		case "fairness":
			l.Fairness = core.Fairness(value)
		case "preference":
			l.Preference = core.Preference(value)
		case "permits":
			l.Permits = n
		case "parties":
			l.Parties = n
		case "capacity":
			l.Capacity, config.Capacity = n, n
		case "discipline":
			config.Discipline = core.Discipline(value)
		case "drop":
			config.Drop = true
		case "tracked":
			config.Tracked = true
		case "on":
			on = s.locks[value]
		default:
			return fmt.Errorf("unknown key %q", key)
		}
	}
	if kind == "queue" {
		s.locks[id] = NewQueue(s.tab, config)
		return nil
	}
	lock, err := New(s.tab, l, on)
	s.locks[id] = lock
	return err
}
