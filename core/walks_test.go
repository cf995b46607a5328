package core_test

import (
	"bytes"
	"compress/flate"
	"errors"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tierscope/core"
)

// randomWalks draws walks of a program that might have been.
func randomWalks(t *rapid.T) *core.Walks {
	w := new(core.Walks)
	for i := range rapid.IntRange(1, 3).Draw(t, "graphs") {
		g := core.WalkGraph{ID: string(rune('a' + i))}
		for j := range rapid.IntRange(1, 6).Draw(t, "fragments") {
			g.Fragments = append(g.Fragments, string(rune('A'+j)))
		}
		w.Graphs = append(w.Graphs, g)
	}
	for i := range rapid.IntRange(0, 5).Draw(t, "objects") {
		w.Objects = append(w.Objects, core.WalkObject{Of: rapid.SampledFrom([]string{"m", "jobs", "ä"}).Draw(t, "of"),
			Monitor: int32(rapid.IntRange(-1, i).Draw(t, "monitor"))})
	}
	for i := range rapid.IntRange(0, 6).Draw(t, "threads") {
		graph := rapid.IntRange(0, len(w.Graphs)-1).Draw(t, "graph")
		x := core.Walk{Pool: w.Graphs[graph].ID, Graph: int32(graph), Parent: int32(rapid.IntRange(-1, i-1).Draw(t, "parent")),
			Ended: rapid.Bool().Draw(t, "ended"), Moves: []core.Move{}}
		for range rapid.IntRange(0, 40).Draw(t, "moves") {
			x.Moves = append(x.Moves, core.Move{Fragment: int32(rapid.IntRange(0, len(w.Graphs[graph].Fragments)-1).Draw(t, "fragment")),
				Object: int32(rapid.IntRange(-1, len(w.Objects)-1).Draw(t, "object")),
				Amount: rapid.Int64Range(0, 1<<40).Draw(t, "amount"), Token: rapid.Int64Range(0, 1<<50).Draw(t, "token")})
		}
		w.Threads = append(w.Threads, x)
	}
	return w
}

func TestWalksReadBackAsTheyWerePacked(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := randomWalks(t)
		packed, err := w.Pack()
		if err != nil {
			t.Fatal(err)
		}
		back, err := core.UnpackWalks(packed)
		if err != nil {
			t.Fatal(err)
		}
		if len(w.Objects) == 0 {
			back.Objects = nil
		}
		if len(w.Threads) == 0 {
			back.Threads = nil
		}
		if !reflect.DeepEqual(back, w) {
			t.Fatalf("read %+v, wrote %+v", back, w)
		}
		again, err := w.Pack()
		if err != nil || !bytes.Equal(packed, again) {
			t.Fatal("packed twice, the same walks give other bytes")
		}
	})
}

// rounds are walks of n rounds of a worker: take a task, compute for about 100 µs, hand a number of things out.
func rounds(n int) *core.Walks {
	r := rand.New(rand.NewPCG(1, 2))
	w := &core.Walks{Graphs: []core.WalkGraph{{ID: "worker", Fragments: []string{"take", "compute", "hand out"}}},
		Objects: []core.WalkObject{{Of: "jobs", Monitor: -1}}, Threads: []core.Walk{{Pool: "worker", Parent: -1}}}
	for i := range n {
		w.Threads[0].Moves = append(w.Threads[0].Moves, core.Move{Fragment: 0, Token: int64(i) + 1},
			core.Move{Fragment: 1, Object: -1, Amount: 1 + int64(100_000*r.ExpFloat64())}, core.Move{Fragment: 2, Object: -1, Amount: 1_000_001})
	}
	return w
}

func computes(_, fragment string) bool { return fragment == "compute" }

// A second of 10 000 exponential times has about 10 000 · (log₂ 100 000 + 1.44) bits, 22 kB: within less,
// times have fewer digits. None is off by more than 1/16 of itself and what was lost before it, their sum by no
// more than one such time; numbers of things are as they were.
func TestWalksThatAreTooLargeRoundTimesAndKeepTheirSum(t *testing.T) {
	t.Parallel()
	w := rounds(10_000)
	whole, err := w.Pack()
	if err != nil {
		t.Fatal(err)
	}
	before := w.Fold()["worker"].Amount["compute"]
	for _, budget := range []int{len(whole) / 2, len(whole) / 3} {
		packed, err := w.PackWithin(budget, computes)
		if err != nil || len(packed) > budget {
			t.Fatalf("%d bytes within %d: %v", len(packed), budget, err)
		}
		back, err := core.UnpackWalks(packed)
		if err != nil {
			t.Fatal(err)
		}
		largest, lost := int64(0), int64(0)
		for i, m := range back.Threads[0].Moves {
			was := w.Threads[0].Moves[i]
			if was.Fragment != 1 {
				if m != was {
					t.Fatalf("move %d is %+v, was %+v: it is no time", i, m, was)
				}
				continue
			}
			largest = max(largest, was.Amount)
			lost += was.Amount - m.Amount
			if off := m.Amount - was.Amount; max(off, -off) > was.Amount/16+largest/16 {
				t.Fatalf("move %d takes %d ns, was %d ns", i, m.Amount, was.Amount)
			}
		}
		if after := back.Fold()["worker"].Amount["compute"]; after-before > largest/16 || before-after > largest/16 {
			t.Errorf("the thread computes %d ns, was %d ns", after, before)
		}
	}
	if _, err := w.PackWithin(1000, computes); !errors.Is(err, core.ErrWalksTooLarge) {
		t.Errorf("30000 moves within 1000 bytes: %v, want that they are too many", err)
	}
}

// Memory follows what was read, not what the bytes claim: a kilobyte of zeros that became a gigabyte is refused.
func TestWalksThatClaimTooMuchAreRefused(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("one goroutine computes")
	}
	deflated := func(data []byte) []byte {
		b := bytes.NewBuffer([]byte{1})
		z, _ := flate.NewWriter(b, flate.BestSpeed)
		_, _ = z.Write(data)
		_ = z.Close()
		return b.Bytes()
	}
	for name, c := range map[string]struct {
		packed []byte
		says   string
	}{
		"nothing":            {nil, "there are none"},
		"another version":    {[]byte{9, 0}, "version 9; this program reads version 1"},
		"not compressed":     {[]byte{1, 0xff, 0xff}, "walks: "},
		"too long":           {deflated(make([]byte, 65<<20)), "more than 67108864 bytes"},
		"more graphs":        {deflated([]byte{0xff, 0xff, 0x7f, 0}), "2097151 graphs, of which there is room for 1"},
		"cut off":            {deflated([]byte{1, 1, 'g', 1, 1}), "1 bytes of a name, of which there is room for 0"},
		"more after the end": {deflated([]byte{0, 0, 0, 0, 7}), "1 bytes follow"},
	} {
		if _, err := core.UnpackWalks(c.packed); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v, want an error that says %q", name, err, c.says)
		}
	}
	large := &core.Walks{Graphs: []core.WalkGraph{{ID: "g", Fragments: []string{"f"}}}, Threads: []core.Walk{{Moves: make([]core.Move, core.MostMoves+1)}}}
	if _, err := large.Pack(); !errors.Is(err, core.ErrWalksTooLarge) {
		t.Errorf("%d moves are packed: %v", core.MostMoves+1, err)
	}
}

// Whatever the bytes are, reading them ends with walks that can be folded, and written again, or with an error.
func FuzzUnpackWalks(f *testing.F) {
	for _, n := range []int{0, 1, 100} {
		packed, err := rounds(n).Pack()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packed)
	}
	f.Fuzz(func(t *testing.T, packed []byte) {
		w, err := core.UnpackWalks(packed)
		if err != nil {
			return
		}
		w.Fold()
		again, err := w.Pack()
		if err != nil {
			t.Fatal(err)
		}
		if back, err := core.UnpackWalks(again); err != nil || back.Len() != w.Len() {
			t.Fatalf("written again: %v", err)
		}
	})
}

// walked is a model of one thread that goes round ten times, with the walks of the run that showed it.
func walked() (*core.Model, *core.Walks) {
	w := &core.Walks{Graphs: []core.WalkGraph{{ID: "main", Fragments: []string{"compute", "again", "end"}}},
		Objects: []core.WalkObject{{Of: "m", Monitor: -1}}, Threads: []core.Walk{{Pool: "main", Parent: -1, Ended: true}}}
	for range 10 {
		w.Threads[0].Moves = append(w.Threads[0].Moves, core.Move{Fragment: 0, Object: -1, Amount: 2_000_000}, core.Move{Fragment: 1, Object: 0})
	}
	w.Threads[0].Moves = append(w.Threads[0].Moves, core.Move{Fragment: 2, Object: -1})
	m := &core.Model{Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}}, Locks: []core.Lock{{ID: "m", Kind: core.Mutex}},
		Graphs: []core.Graph{{ID: "main", Entry: "compute", Fragments: []core.Fragment{
			{ID: "compute", Class: core.CPUFragment, Demand: core.Distribution{Kind: core.Constant, Value: 2e-3}, Next: []core.Edge{{To: "again", Probability: 1}}},
			{ID: "again", Class: core.DispatchFragment, Next: []core.Edge{{To: "compute", Probability: 0.9}, {To: "end", Probability: 0.1}}},
			{ID: "end", Class: core.DispatchFragment}}}}}
	return m, w
}

// A model says in which fragments it was edited since its walks were recorded.
func TestAnEditedGraphSaysWhichWalksDoNotHold(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		edit func(m *core.Model)
		want string
	}{
		{"as it was recorded", func(*core.Model) {}, ""},
		{"another probability", func(m *core.Model) {
			m.Graphs[0].Fragments[1].Next[0].Probability, m.Graphs[0].Fragments[1].Next[1].Probability = 0.8, 0.2
		}, `graph "main": fragment "again" leads elsewhere`},
		{"another way", func(m *core.Model) { m.Graphs[0].Fragments[0].Next[0].To = "end" }, `fragment "compute" leads elsewhere`},
		{"half the demand", func(m *core.Model) { m.Graphs[0].Fragments[0].Scale = 0.5 }, `fragment "compute" takes 0.5 times as long`},
		{"a fragment less", func(m *core.Model) { m.Graphs[0].Fragments = m.Graphs[0].Fragments[:2] }, `fragment "end" is not in the model`},
		{"another graph", func(m *core.Model) { m.Graphs[0].ID = "first" }, `graph "main" is not in the model`},
		{"no pool", func(m *core.Model) { m.Pools = nil }, `"main" is not in the model`},
		{"no lock", func(m *core.Model) { m.Locks = nil }, `"m" is not in the model`},
	} {
		m, w := walked()
		c.edit(m)
		var says []string
		for _, d := range m.Departures(w) {
			says = append(says, d.String())
		}
		if got := strings.Join(says, "\n"); len(says) > 1 || c.want == "" != (got == "") || !strings.Contains(got, c.want) {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

// A loop of which an analyst says that it goes round more or less often is none that was recorded; one that did not keep how
// often it went round may have been broken off.
func TestALoopThatGoesRoundOtherwiseIsNotTheRecordedOne(t *testing.T) {
	t.Parallel()
	w := &core.Walks{Graphs: []core.WalkGraph{{ID: "main", Fragments: []string{"loop", "body", "out"}}}, Threads: []core.Walk{{Pool: "main", Parent: -1, Ended: true}}}
	for _, at := range []int32{0, 1, 0, 1, 0, 1, 0, 1, 0, 2} {
		w.Threads[0].Moves = append(w.Threads[0].Moves, core.Move{Fragment: at, Object: -1})
	}
	for _, c := range []struct {
		rounds, observed float64
		departs          bool
	}{{4, 4, false}, {1, 4, true}, {8, 4, true}, {1, 0, false}, {8, 0, true}} {
		m := &core.Model{Pools: []core.Pool{{ID: "main", Graph: "main", Size: 1, Main: true}}, Graphs: []core.Graph{{ID: "main", Entry: "loop", Fragments: []core.Fragment{
			{ID: "loop", Class: core.LoopFragment, Loop: &core.Loop{Count: core.Distribution{Kind: core.Constant, Value: c.rounds}, Body: "body"},
				Observed: core.Observed{Rounds: c.observed}, Next: []core.Edge{{To: "out", Probability: 1}}},
			{ID: "body", Class: core.DispatchFragment, Next: []core.Edge{{To: "loop", Probability: 1}}},
			{ID: "out", Class: core.DispatchFragment}}}}}
		if ds := m.Departures(w); len(ds) > 0 != c.departs {
			t.Errorf("%v rounds where %v of 4 are known: %v, want a departure: %v", c.rounds, c.observed, ds, c.departs)
		}
	}
}

// A file from a later release says so instead of being read wrongly.
func TestWalksOfALaterVersionAreADefect(t *testing.T) {
	t.Parallel()
	m := webServer()
	m.Walks = []byte{99}
	if err := m.Validate(); err == nil || !strings.Contains(err.Error(), "walks: are of version 99") {
		t.Errorf("%v, want a defect that names the version", err)
	}
	with, without := core.Hash(m), core.Hash(webServer())
	if with == without {
		t.Error("a model with walks has the hash of one without")
	}
}

// 300 000 moves of one thread.
func BenchmarkPackWalks(b *testing.B) {
	w := rounds(100_000)
	for b.Loop() {
		packed, err := w.PackWithin(core.WalksBudget, computes)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(len(packed))/float64(w.Len()), "bytes/move")
	}
	b.ReportMetric(float64(w.Len())*float64(b.N)/b.Elapsed().Seconds(), "moves/s")
	b.ReportAllocs()
}
