package analyse

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"

	"tierscope/analysis"
	"tierscope/analysis/stage"
	"tierscope/analysis/trace"
	"tierscope/analysis/trust"
	"tierscope/gui/page"
	"tierscope/gui/page/pagetest"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
)

// crashing is a front end whose program crashes in the measuring run.
type crashing struct{ check error }

func (crashing) Name() string                                  { return "go" }
func (c crashing) Check(context.Context, trace.Workload) error { return c.check }
func (crashing) Sample(_ context.Context, _ trace.Workload, _ string, report func(analysis.Progress)) (*trace.Samples, error) {
	report(analysis.Progress{Stage: "sample", Done: 1, Fact: "2 groups of threads"})
	return &trace.Samples{Program: "x"}, nil
}
func (crashing) Scan(_ context.Context, _ trace.Workload, _ *trace.Samples, _ string, report func(analysis.Progress)) (*trace.Facts, error) {
	report(analysis.Progress{Stage: "scan", Done: 1, Fact: "10 operations"})
	return &trace.Facts{Program: "x"}, nil
}
func (crashing) Trace(context.Context, trace.Workload, *trace.Samples, *trace.Facts, string, func(analysis.Progress)) (*trace.Trace, error) {
	return nil, errors.New("the program ended with exit status 2 after 0.1 s; run it alone to see why")
}

func open(t *testing.T, target analysis.Target) (*page.Host, *Page) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir()) // where consents are kept
	h := pagetest.Host(t)
	p := New(h, func(string) analysis.Target { return target }, "test").(*Page)
	pagetest.Show(t, h, p)
	return h, p
}

func TestWhatIsMissingIsSaidBeforeAnythingStarts(t *testing.T) {
	h, p := open(t, crashing{})
	test.Tap(p.start)
	for _, want := range []string{"no program is named", "the project has no folder yet"} {
		if !strings.Contains(p.problem.Text, want) {
			t.Errorf("the page says %q, want something about %q", p.problem.Text, want)
		}
	}
	if len(h.Session.Jobs()) != 0 {
		t.Error("a study was started without a program")
	}
	p.server.SetChecked(true)
	p.program.SetText("./x")
	p.targets.SetText("/page/%d.html:many")
	test.Tap(p.start)
	for _, want := range []string{"the address is \"\"", "the load is missing", "a number of paths"} {
		if !strings.Contains(p.problem.Text, want) {
			t.Errorf("for a server the page says %q, want something about %q", p.problem.Text, want)
		}
	}
}

func TestAServerOfAnotherProtocolIsGivenAClientCommand(t *testing.T) {
	_, p := open(t, crashing{})
	p.program.SetText("./x")
	p.out.SetText("x")
	p.server.SetChecked(true)
	p.url.SetText("127.0.0.1:11211")
	p.rate.SetText("100")
	p.client.SetText("./client {address} {seconds}")
	if _, err := p.form().workload(); err == nil || !strings.Contains(err.Error(), "put {rate} into it") {
		t.Errorf("a command that is not told the rate: %v", err)
	}
	p.client.SetText("./client {address} {rate} {seconds}")
	w, err := p.form().workload()
	if err != nil || w.Load.Command != p.client.Text || w.Load.URL != "127.0.0.1:11211" {
		t.Errorf("the load is %+v (%v)", w.Load, err)
	}
	if command := p.form().command(stage.Sample); !strings.Contains(command, "--load-command './client {address} {rate} {seconds}'") {
		t.Errorf("copied as %s", command)
	}
}

// The page of a project says how its program was analysed and what came of it; the same form gives the same run, what it has no
// fields for included.
func TestTheAnalysisOfAnOpenProjectIsShown(t *testing.T) {
	h, p := open(t, crashing{})
	o, err := session.Read("../../../assets/samples/web-server.tier")
	if err != nil {
		t.Fatal(err)
	}
	h.Session.Show(o, "analyse")
	h.Session.Runner.Settle()
	_, want, err := stage.Load("../../../assets/samples/web-server.tier")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.form().workload(); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("the form is of %+v (%v), want %+v", got, err, want)
	}
	if !p.server.Checked || p.program.Text != want.Program || !strings.Contains(p.rows[3].fact.Text, "pools") || len(p.trust.Objects) == 0 {
		t.Errorf("the program is %q, its model %q", p.program.Text, p.rows[3].fact.Text)
	}
}

// The window makes its pages anew for each project that is opened.
func TestWhatWasTypedIsThereWhenAnotherProjectIsOpened(t *testing.T) {
	h, _ := open(t, crashing{})
	pages := Keep(func(string) analysis.Target { return crashing{} }, "test")
	opened := func(path string) *Page {
		t.Helper()
		o, err := session.Read(path)
		if err != nil {
			t.Fatal(err)
		}
		h.Session.Show(o, "analyse")
		p := pages(h).(*Page)
		pagetest.Show(t, h, p)
		return p
	}
	first := opened("../../../assets/samples/web-server.tier")
	if p := opened("../../../assets/samples/cache.tier"); p == first || p.typed() {
		t.Error("nothing was typed, and the page of the next project is that of the one before")
	}
	p := opened("../../../assets/samples/web-server.tier")
	p.args.SetText("-workers 16")
	p = opened("../../../assets/samples/cache.tier")
	if p.args.Text != "-workers 16" {
		t.Errorf("the arguments are %q, want what was typed", p.args.Text)
	}
	if p.rows[3].fact.Text != purposes[stage.Build] || len(p.trust.Objects) > 0 {
		t.Errorf("beside what was typed the page says %q of another program", p.rows[3].fact.Text)
	}
	pagetest.Press(t, h, p.Content(), "Show how cache.tier was analysed")
	_, want, err := stage.Load("../../../assets/samples/cache.tier")
	if err != nil {
		t.Fatal(err)
	}
	if got, err := p.form().workload(); err != nil || !reflect.DeepEqual(got, want) || p.typed() || len(p.other.Objects) > 0 {
		t.Errorf("the form is of %+v (%v), want %+v", got, err, want)
	}
}

// What is typed while a program is analysed is of no project: the analysis has not seen it.
func TestWhatIsTypedDuringAnAnalysisIsKept(t *testing.T) {
	_, p := open(t, crashing{})
	p.program.SetText("./cmd/server")
	asked := p.form()
	p.args.SetText("-workers 16")
	if p.finished("server.tier", asked, &stage.Outcome{}, nil); !p.typed() {
		t.Error("what was typed meanwhile counts as what was analysed")
	}
	p.args.SetText("")
	if p.typed() {
		t.Error("what was analysed counts as typed")
	}
}

func TestAMissingToolIsExplained(t *testing.T) {
	h, p := open(t, crashing{check: errors.New("Go 1.26 is needed; install it from go.dev")})
	p.program.SetText("./x")
	p.out.SetText(filepath.Join(t.TempDir(), "x.tier"))
	test.Tap(p.start)
	h.Session.Runner.Settle()
	if !strings.Contains(p.problem.Text, "Go 1.26 is needed") {
		t.Errorf("the page says %q", p.problem.Text)
	}
}

func TestACrashKeepsEarlierStagesAndOffersToGoOnThere(t *testing.T) {
	h, p := open(t, crashing{})
	p.program.SetText("./x")
	dir := filepath.Join(t.TempDir(), "x")
	p.out.SetText(dir)
	test.Tap(p.start)
	h.Session.Runner.Settle()
	pagetest.Picture(t, h, "analyse")
	if !strings.Contains(p.problem.Text, "exit status 2") || p.problem.Hidden {
		t.Errorf("the page says %q", p.problem.Text)
	}
	if p.from.Selected != "trace" {
		t.Errorf("the study would start again at %q, want trace", p.from.Selected)
	}
	if p.rows[0].fact.Text != "2 groups of threads" || p.rows[1].bar.Value != 1 {
		t.Errorf("finished stages show %q and %g", p.rows[0].fact.Text, p.rows[1].bar.Value)
	}
	if h.Session.Jobs()[0].State != session.Failed || p.start.Disabled() {
		t.Error("after the crash nothing can be started")
	}
	for _, kept := range []string{"samples.json", "facts.json"} {
		if matches, _ := filepath.Glob(filepath.Join(dir+".tier", "analysis", kept)); len(matches) != 1 {
			t.Errorf("%s was not kept", kept)
		}
	}
}

func TestTheCommandDoesTheSame(t *testing.T) {
	t.Parallel()
	f := form{program: "./shop", args: "-workers 4", env: "GOMAXPROCS=2", out: "shop.tier", cpus: "2", server: true, url: "http://localhost:8080/", targets: "/a /b?q=1", rate: "120", warmup: "1", duration: "10"}
	want := "tierctl analyze --out shop.tier --from trace --cpus 2 --env GOMAXPROCS=2 --load-url http://localhost:8080/ --load-target /a --load-target '/b?q=1' --load-rate 120/s --load-warmup 1s --load-duration 10s ./shop -- -workers 4"
	if got := f.command(stage.Trace); got != want {
		t.Errorf("the command is\n%s\nwant\n%s", got, want)
	}
}

func TestArgumentsAreSplitAsAShellDoes(t *testing.T) {
	t.Parallel()
	got, err := words(`-n 3 "two words" 'it''s' ""`)
	if err != nil || strings.Join(got, "|") != "-n|3|two words|its|" {
		t.Errorf("split into %q (%v)", got, err)
	}
	if _, err := words(`"open`); err == nil {
		t.Error("a quotation mark without an end is accepted")
	}
}

func TestTheTrustReportSaysWhatIsNotModelled(t *testing.T) {
	h, _ := open(t, crashing{})
	overhead := 0.031
	h.Window.SetContent(own.TrustCard("B", "", &trust.Trust{Grade: "B", Explained: 0.93, Overhead: &overhead, NotModelled: []string{"2 threads started by timers"}, Reasons: []string{"overhead 3.1 %"}}))
	test.AssertRendersToMarkup(t, "trust.xml", h.Window.Canvas())
}
