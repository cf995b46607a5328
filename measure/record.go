package measure

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"tierscope/measure/table"
	"tierscope/project"
	"tierscope/project/scratch"
)

// Missing returns the runs of the plan that t does not have, or an error if t
// holds another campaign.
func (c Campaign) Missing(t *table.Table) ([]Run, error) {
	if err := c.belongs(t); err != nil {
		return nil, err
	}
	done := t.Runs()
	return slices.DeleteFunc(c.Runs(), func(r Run) bool { return slices.Contains(done, r.ID) }), nil
}

// Open reads the measurements in the CSV file at path; a file that does not
// exist has none.
func Open(path string) (*table.Table, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return &table.Table{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	t, err := table.Read(file, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return t, nil
}

// InputError is a file or a program that cannot be used, found before anything
// was run.
type InputError struct{ Err error }

func (e *InputError) Error() string { return e.Err.Error() }

// Unwrap returns what is wrong.
func (e *InputError) Unwrap() error { return e.Err }

// waits tells why there is a pause.
func (c Campaign) waits(why string) {
	if c.Waits != nil {
		c.Waits(why)
	}
}

// Record builds the program, makes all runs that the CSV file at path does not
// have, and saves the file after every run: an interrupted campaign goes on
// where it was. command is noted in a new file. It returns what the file holds
// in the end, together with the error that ended it. The file is locked meanwhile:
// a second campaign would lose the runs of the first, and disturb them
// (project.LockedError).
func (c Campaign) Record(ctx context.Context, path, command string, report func(Progress)) (*table.Table, error) {
	release, err := project.Lock(path, command)
	if err != nil {
		return &table.Table{}, err
	}
	defer release()
	t, err := Open(path)
	if err != nil {
		return nil, &InputError{err}
	}
	if err := c.belongs(t); err != nil {
		return t, &InputError{err}
	}
	dir, err := os.MkdirTemp("", scratch.Name("", "tierscope-measure-"))
	if err != nil {
		return t, err
	}
	defer os.RemoveAll(dir) // a folder for temporary files
	if c.Executable, err = Build(ctx, c.Workload, dir); err != nil {
		return t, &InputError{err}
	}
	if len(t.Rows) == 0 {
		t.SetNote("program", c.Workload.Program)
		t.SetNote("command", command)
		if l := c.Workload.Load; l != nil {
			t.SetNote("warmup_s", fmt.Sprint(l.Warmup))
			t.SetNote("duration_s", fmt.Sprint(l.Duration))
			if l.Rate > 0 && !l.Constant && l.Command == "" {
				t.SetNote(table.ArrivalSeed, fmt.Sprint(l.Seed))
			}
		}
	}
	saved := false
	save := func(m *table.Table) error {
		var b bytes.Buffer
		if err := m.Write(&b); err != nil {
			return err
		}
		write := func() error { return project.WriteFile(path, b.Bytes()) }
		if !saved { // who starts a campaign on a full disk is told at once
			err := write()
			saved = err == nil
			return err
		}
		defer c.waits("")
		return project.AwaitRoom(ctx, c.Patience, write, func(err error) { c.waits(err.Error()) })
	}
	return t, c.Execute(ctx, t, save, report)
}
