package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"
)

// parallel is how many runners are built and run at a time.
const parallel = 2

// measurement is one run of the tool.
type measurement struct {
	laboratory *laboratory
	commit     string
	log        io.Writer
	only       []string // IDs, or packages; none: all
}

// table measures constants. What is not asked for, and what cannot be measured any more
// because ctx has ended, is taken from the former table, if the value there is that of the source.
func (m *measurement) table(ctx context.Context, all []Constant, former Table) (Table, error) {
	t := Table{Recordings: former.Recordings}
	plain, err := m.bases(ctx, &t)
	if err != nil && ctx.Err() == nil {
		return t, err
	}
	entries := make([]Entry, len(all))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(parallel)
	began := time.Now()
	for i, c := range all {
		if !m.asked(c) {
			continue
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			e, err := m.entry(ctx, c, plain)
			if err != nil {
				return err
			}
			entries[i] = e
			fmt.Fprintf(m.log, "%d of %d, %v: %s = %s: halved %s, doubled %s\n", i+1, len(all), time.Since(began).Round(time.Second), e.ID, e.Value, e.Halved, e.Doubled)
			return nil
		})
	}
	err = group.Wait()
	for i, c := range all {
		old, ok := former.Find(c.ID)
		switch {
		case entries[i].ID != "":
			t.Entries = append(t.Entries, entries[i])
		case ok && old.Value == c.Value:
			t.Entries = append(t.Entries, old)
		}
	}
	slices.SortFunc(t.Entries, func(a, b Entry) int { return strings.Compare(a.ID, b.ID) })
	return t, err
}

// asked reports whether a constant is to be measured.
func (m *measurement) asked(c Constant) bool {
	return len(m.only) == 0 || slices.Contains(m.only, c.ID) || slices.Contains(m.only, c.Package)
}

// base is what the runner of the source as it is finds.
type base struct {
	made map[string]Made
	file string // with it
}

// bases are those of models as Build makes them, and as studies calibrate them.
func (m *measurement) bases(ctx context.Context, t *Table) (map[bool]base, error) {
	out := map[bool]base{}
	for _, calibrated := range []bool{false, true} {
		f, err := m.laboratory.try(ctx, trial{name: "base", calibrated: calibrated})
		if err != nil {
			return nil, err
		}
		if f.Error != "" {
			return nil, errors.New(f.Error)
		}
		data, err := json.Marshal(f.Made)
		if err != nil {
			return nil, err
		}
		b := base{f.Made, m.laboratory.path("work", fmt.Sprintf("base-%t.json", calibrated))}
		if err := os.WriteFile(b.file, data, 0o644); err != nil {
			return nil, err
		}
		out[calibrated] = b
		t.Recordings = len(f.Made)
	}
	return out, nil
}

// entry measures one constant.
func (m *measurement) entry(ctx context.Context, c Constant, bases map[bool]base) (Entry, error) {
	e := Entry{ID: c.ID, Class: c.Class, Value: c.Value, Commit: m.commit, Date: time.Now().UTC().Format(time.DateOnly)}
	for w, to := range map[Way]*Change{Halved: &e.Halved, Doubled: &e.Doubled} {
		source, value, err := c.Varied(w)
		if err != nil {
			return e, err
		}
		calibrated := c.Package == "calibrate"
		b := bases[calibrated]
		f, err := m.laboratory.try(ctx, trial{c.ID + " " + string(w), c.file, source, calibrated, b.file})
		if err != nil {
			return e, err
		}
		if f.Error == "" {
			*to = compared(b.made, f.Made)
		}
		to.Value, to.Error = value, f.Error
	}
	return e, nil
}

// String is a change in a line of a log.
func (c Change) String() string {
	text := fmt.Sprintf("(%s) %d models, %d reports", c.Value, c.Models, c.Reports)
	if c.Without > 0 {
		text += fmt.Sprintf(", %d without", c.Without)
	}
	if l := c.Largest; l != nil {
		text += fmt.Sprintf(", %s of %s %+.1f %%", l.Metric, l.Recording, 100*l.Change)
	}
	if c.Error != "" {
		text += ", " + c.Error
	}
	return text
}
