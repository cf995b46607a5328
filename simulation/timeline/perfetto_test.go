package timeline

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// schema is a published schema: the type and name of each field, by message and number.
type schema map[string]map[uint64][2]string

func readSchema(t *testing.T, path string) schema {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	s := schema{}
	message := ""
	field := regexp.MustCompile(`^\s*(?:optional |repeated )?(\w+) (\w+) = (\d+);`)
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(line, "message "); ok {
			message = strings.Fields(name)[0]
			s[message] = map[uint64][2]string{}
		} else if strings.HasPrefix(line, "enum ") {
			message = ""
		} else if m := field.FindStringSubmatch(line); m != nil && message != "" {
			var n uint64
			fmt.Sscan(m[3], &n)
			s[message][n] = [2]string{m[1], m[2]}
		}
	}
	return s
}

// decode reads a message as its schema says, and fails on everything that it does not.
func (s schema) decode(t *testing.T, message string, data []byte) map[string][]any {
	t.Helper()
	out := map[string][]any{}
	varint := func() uint64 {
		v, n := binary.Uvarint(data)
		if n <= 0 {
			t.Fatalf("%s: a number is cut off", message)
		}
		data = data[n:]
		return v
	}
	for len(data) > 0 {
		key := varint()
		f, known := s[message][key>>3]
		if !known {
			t.Fatalf("%s has no field %d", message, key>>3)
		}
		kind, wire := f[0], key&7
		var v any
		switch {
		case wire == 0 && slices.Contains([]string{"uint64", "int64", "uint32", "int32", "Type"}, kind):
			v = varint()
		case wire == 1 && kind == "fixed64":
			v = binary.LittleEndian.Uint64(data)
			data = data[8:]
		case wire == 2:
			n := varint()
			body := data[:n]
			data = data[n:]
			if v = string(body); kind != "string" {
				v = s.decode(t, kind, body)
			}
		default:
			t.Fatalf("%s.%s is a %s, and is written as wire type %d", message, f[1], kind, wire)
		}
		out[f[1]] = append(out[f[1]], v)
	}
	return out
}

// one is the only value of a field.
func one[T any](t *testing.T, m map[string][]any, field string) T {
	t.Helper()
	if len(m[field]) != 1 {
		t.Fatalf("%v has %d values of %s", m, len(m[field]), field)
	}
	return m[field][0].(T)
}

// What is written is a trace of Perfetto's published schema: it says the spans of the recording by
// the names of its lanes, and its flows lead from who freed a lock to who waited for it, and
// through the threads that work on a task.
func TestAPerfettoTraceSaysWhatTheRecordingSays(t *testing.T) {
	t.Parallel()
	r := chained()
	var file bytes.Buffer
	if err := r.WritePerfetto(&file); err != nil {
		t.Fatal(err)
	}
	s := readSchema(t, "testdata/perfetto.proto")
	lanes, names, states := map[uint64]string{}, map[uint64]string{}, map[uint64]string{}
	type flow struct{ lane, name string }
	flows := map[uint64][]flow{}
	open := map[uint64]string{} // begun, by track
	var spans []string
	for _, x := range s.decode(t, "Trace", file.Bytes())["packet"] {
		p := x.(map[string][]any)
		if d := p["interned_data"]; d != nil {
			for _, e := range d[0].(map[string][]any)["event_names"] {
				names[one[uint64](t, e.(map[string][]any), "iid")] = one[string](t, e.(map[string][]any), "name")
			}
			for _, e := range d[0].(map[string][]any)["event_categories"] {
				states[one[uint64](t, e.(map[string][]any), "iid")] = one[string](t, e.(map[string][]any), "name")
			}
		}
		if d := p["track_descriptor"]; d != nil {
			if thread := d[0].(map[string][]any)["thread"]; thread != nil {
				lanes[one[uint64](t, d[0].(map[string][]any), "uuid")] = one[string](t, thread[0].(map[string][]any), "thread_name")
			}
		}
		if p["track_event"] == nil {
			continue
		}
		e, at := p["track_event"][0].(map[string][]any), one[uint64](t, p, "timestamp")
		track := one[uint64](t, e, "track_uuid")
		switch one[uint64](t, e, "type") {
		case typeBegin:
			name := names[one[uint64](t, e, "name_iid")]
			open[track] = fmt.Sprintf("%s %d–%%d %s %s", lanes[track], at/1e6, states[one[uint64](t, e, "category_iids")], name)
			for _, f := range e["flow_ids"] {
				flows[f.(uint64)] = append(flows[f.(uint64)], flow{lanes[track], name})
			}
		case typeEnd:
			spans = append(spans, fmt.Sprintf(open[track], at/1e6))
			delete(open, track)
		}
	}
	var want []string
	for _, l := range r.Lanes {
		for _, x := range l.Spans {
			want = append(want, fmt.Sprintf("%s %d–%d %s %s", l.Name, x.Start/1e6, x.End/1e6, x.State, r.LabelText(x.Label)))
		}
	}
	if len(open) > 0 || !slices.Equal(spans, want) {
		t.Errorf("the trace says\n%q\nand the recording\n%q; %d slices have no end", spans, want, len(open))
	}
	// B computes with both locks when it frees L, for which A waits; C computes when it frees M, for which B waits.
	var arrows []string
	for id, f := range flows {
		if len(f) == 2 && id > wakeups {
			slices.SortFunc(f, func(a, b flow) int { return strings.Compare(b.lane, a.lane) })
			arrows = append(arrows, fmt.Sprintf("%s %s → %s %s", f[0].lane, f[0].name, f[1].lane, f[1].name))
		}
	}
	slices.Sort(arrows)
	if want := []string{"B both → A send", "C compute → B both"}; !slices.Equal(arrows, want) {
		t.Errorf("wake-ups lead %q, want %q", arrows, want)
	}
	if f := flows[8]; len(f) != 1 || f[0] != (flow{"A", "parse"}) { // task 7 is only ever on A
		t.Errorf("the flow of task 7 leads through %v", f)
	}
}
