// Package work keeps, for each user, how far commands are that take long: who asks may sit at
// another terminal, after a night, after the machine was restarted. A file for each command
// and folder lies beside the user's settings. It says what was typed, and where, so that
// the same can be typed again: campaigns and sweeps go on where they were.
package work

import (
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"tierscope/core"
	"tierscope/project"
	"tierscope/project/scratch"
)

// Format is the format of the files.
var Format = core.Format{Name: "tierscope-work", Version: 1}

// State is how a command stands.
type State string

// States. What runs no more and did not say why was stopped: it was killed, or the machine was
// restarted.
const (
	Running  State = "running"
	Finished State = "finished"
	Stopped  State = "stopped"
	Failed   State = "failed"
)

// Work is a command that takes long.
type Work struct {
	Program   string    `json:"program"` // path of the executable
	Args      []string  `json:"args"`
	Dir       string    `json:"dir"`  // where it was typed
	Unit      string    `json:"unit"` // what is counted: "runs"
	Done      int       `json:"done"`
	Planned   int       `json:"planned"`
	Remaining *float64  `json:"remaining_s"` // at Updated; null: not known
	Began     time.Time `json:"began"`       // this time
	Updated   time.Time `json:"updated"`
	State     State     `json:"state"`
	Problem   string    `json:"problem,omitempty"` // why it does not go on
	Owner     string    `json:"owner"`             // the process, see package scratch
}

// Left is how long the work still takes at a time, 0 if that is not known or nothing is left. A clock
// that was set back does not make it longer.
func (w *Work) Left(now time.Time) time.Duration {
	if w.Remaining == nil || w.State != Running {
		return 0
	}
	since := max(now.Sub(w.Updated), 0)
	return max(time.Duration(*w.Remaining*float64(time.Second))-since, 0)
}

// Far is how far the work is, in words; how much there is in all is not always known.
func (w *Work) Far() string {
	if w.Planned == 0 {
		return fmt.Sprintf("%d %s", w.Done, w.Unit)
	}
	return fmt.Sprintf("%d of %d %s", w.Done, w.Planned, w.Unit)
}

// Killed reports whether the work ended by nobody's wish: with its process, or with the machine.
func (w *Work) Killed() bool { return w.State == Stopped && w.Problem == killed }

// killed is what is said of work whose process is gone.
const killed = "it was killed, or the machine was restarted"

// id is the same for the same command in the same folder.
func (w *Work) id() string {
	sum := sha256.Sum256([]byte(w.Dir + "\x00" + strings.Join(w.Args, "\x00")))
	return fmt.Sprintf("%x", sum[:6])
}

// folder is where the files are.
func folder() (string, error) {
	base, err := os.UserConfigDir()
	return filepath.Join(base, "tierscope", "work"), err
}

// All returns the work of this user, the latest first. Files that cannot be read are
// reported, beside the others.
func All() ([]Work, error) {
	dir, err := folder()
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, err
	}
	var all []Work
	var errs []error
	for _, file := range files {
		var w Work
		if err := project.Load(file, Format, &w); err != nil {
			errs = append(errs, err)
			continue
		}
		if w.State == Running && scratch.Dead(w.Owner) {
			w.State, w.Problem, w.Remaining = Stopped, killed, nil
		}
		all = append(all, w)
	}
	slices.SortStableFunc(all, func(a, b Work) int { return cmp.Compare(b.Updated.UnixNano(), a.Updated.UnixNano()) })
	return all, errors.Join(errs...)
}

// kept is how long files of work stay that does not run.
const kept = 60 * 24 * time.Hour

// tidy removes the files of work that ended long ago. What cannot be removed stays.
func tidy(dir string, now time.Time) {
	files, _ := filepath.Glob(filepath.Join(dir, "*.json"))
	for _, file := range files {
		var w Work
		if project.Load(file, Format, &w) == nil && now.Sub(w.Updated) > kept {
			_ = os.Remove(file)
			_ = os.Remove(strings.TrimSuffix(file, ".json") + ".log")
		}
	}
}
