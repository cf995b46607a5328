package experiment

import (
	"bytes"
	"reflect"
	"testing"
	"time"
)

// What Decode takes can be written and read back as the same, and has as many points as its axes say.
func FuzzDecode(f *testing.F) {
	f.Add([]byte(`{"format":"tierscope-experiment","version":1,"axes":[{"parameter":"workers","values":[1,2,4]},{"parameter":"rate","from":10,"to":130,"step":10}],"constraints":["workers >= 1"]}`))
	f.Add([]byte(`{"format":"tierscope-experiment","version":1,"axes":[{"parameter":"x","from":1,"to":1000,"points":7,"log":true}],"precision":0.05,"only":["R"]}`))
	f.Add([]byte(`{"format":"tierscope-experiment","version":1,"axes":[{"parameter":"x","from":-1e308,"to":1e308,"points":3}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		e, err := Decode(bytes.NewReader(data))
		if err != nil {
			return
		}
		var b bytes.Buffer
		if err := Encode(&b, e); err != nil {
			t.Fatal(err)
		}
		again, err := Decode(bytes.NewReader(b.Bytes()))
		var c bytes.Buffer
		if err != nil || Encode(&c, again) != nil || !bytes.Equal(b.Bytes(), c.Bytes()) {
			t.Fatalf("wrote %s and read %s: %v", b.Bytes(), c.Bytes(), err)
		}
	})
}

// The short form of an axis is read to an axis that has values, or a range to search.
func FuzzParseAxis(f *testing.F) {
	for _, text := range []string{"workers=1,2,4,8", "rate=10..130/10", "rate=10..1000:7log", "speed=0.5..4:real", "policy=0,1,2:any", "x=1..1e6"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		a, err := ParseAxis(text)
		if err != nil || a.Real {
			return
		}
		one, err := a.Expand()
		if err != nil || len(one) == 0 {
			t.Fatalf("axis %q: %v has %d values: %v", text, a, len(one), err)
		}
		if two, err := a.Expand(); err != nil || !reflect.DeepEqual(one, two) {
			t.Fatalf("axis %q has other values the second time", text)
		}
	})
}

// As many points as an experiment may have on one axis are told apart at once: a file of a stranger takes no minutes to be refused.
func TestALongAxisIsExpandedAtOnce(t *testing.T) {
	t.Parallel()
	done := make(chan int, 1)
	go func() {
		values, _ := Axis{Parameter: "x", From: 1, To: 2, Points: mostPoints}.Expand()
		done <- len(values)
	}()
	select {
	case n := <-done:
		if n != mostPoints {
			t.Errorf("%d values, want %d", n, mostPoints)
		}
	case <-time.After(5 * time.Minute): // each with each: 5·10¹¹ comparisons
		t.Error("a million values are still compared with each other")
	}
}
