package gui

import (
	"context"
	"runtime"
	"slices"
	"testing"
	"time"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/gui/background"
	"tierscope/gui/graphlayout/layouttest"
	"tierscope/gui/session"
	"tierscope/project"
	"tierscope/simulation"
)

// From a click in the rail to the other page, laid out, while simulations use
// every core; the analyst notices 100 ms. Reported are the 95th percentile and
// the worst of all clicks.
func BenchmarkClickWhileSimulating(b *testing.B) {
	cores := runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(cores + 2) // as cmd/tierscope does
	defer runtime.GOMAXPROCS(cores)
	queue := make(chan func(), 1024)
	w, err := New(test.NewTempApp(b), Options{Runner: background.New(func(f func()) { queue <- f }), Layouter: layouttest.New(b), Cores: cores})
	if err != nil {
		b.Fatal(err)
	}
	m, err := project.LoadModel("../testdata/models/version-1-web-server.json")
	if err != nil {
		b.Fatal(err)
	}
	w.Window.Resize(fyne.NewSize(1280, 800))
	w.Session.SetModel(&m, "")
	runner, options := w.Session.Experimenter(nil), simulation.Options{Replications: 1_000_000}
	options.Pool = runner.Pool
	job := session.StartJob(w.Session, "endless", func(ctx context.Context, report func(simulation.Progress)) (struct{}, error) {
		options.Progress = report
		_, err := simulation.Run(ctx, m, nil, options)
		return struct{}{}, err
	}, func(j *session.Job, p simulation.Progress) { j.Fraction = p.Done }, nil)
	pages := []string{"ledger", "model", "experiments", "validate", "settings"}
	var took []time.Duration
	for i := 0; b.Loop(); i++ {
		done := false
		clicked := time.Now()
		go func() {
			queue <- func() {
				w.Session.GoPage(pages[i%len(pages)])
				done = true
			}
		}()
		for !done {
			(<-queue)()
		}
		took = append(took, time.Since(clicked))
	}
	job.Cancel()
	for job.State == session.Running {
		(<-queue)()
	}
	slices.Sort(took)
	b.ReportMetric(float64(took[len(took)*95/100].Microseconds())/1000, "p95-ms")
	b.ReportMetric(float64(took[len(took)-1].Microseconds())/1000, "worst-ms")
}

// Keys are for the page that is seen: a field of the page that was left does not take them.
func TestAFieldOfThePageThatWasLeftTakesNoKeys(t *testing.T) {
	w := window(t)
	w.Session.GoPage("analyse")
	for _, o := range test.LaidOutObjects(w.Window.Content()) {
		if e, is := o.(*widget.Entry); is && e.Visible() {
			w.Window.Canvas().Focus(e)
		}
	}
	if _, is := w.Window.Canvas().Focused().(*widget.Entry); !is {
		t.Fatalf("no field has the focus but %T", w.Window.Canvas().Focused())
	}
	w.Session.GoPage("explain")
	if o := w.Window.Canvas().Focused(); o != nil {
		t.Errorf("a %T of the page that was left has the focus", o)
	}
}
