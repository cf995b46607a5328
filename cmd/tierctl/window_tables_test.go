package main

import (
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"fyne.io/fyne/v2/test"
	"fyne.io/fyne/v2/widget"

	"tierscope/core/quantity"
	"tierscope/gui"
	"tierscope/gui/recipe"
	"tierscope/gui/session"
	own "tierscope/gui/widget"
	"tierscope/measure/table"
	"tierscope/simulation"
)

// parts are the widgets of a kind on the visible page, from above.
func parts[W any](w *gui.Window) []W {
	var all []W
	for _, o := range test.LaidOutObjects(w.Shell.Page().Content()) {
		if x, ok := o.(W); ok {
			all = append(all, x)
		}
	}
	return all
}

// press taps the button with a text.
func press(t *testing.T, w *gui.Window, text string) {
	t.Helper()
	for _, b := range parts[*widget.Button](w) {
		if b.Text == text {
			test.Tap(b)
			w.Session.Runner.Settle()
			return
		}
	}
	t.Fatalf("there is no button %q", text)
}

// rows are the rows of the visible data table that has a column, by the texts
// of its first cells, with the texts of all cells by column.
func rows(t *testing.T, w *gui.Window, column string, keys int) map[string]map[string]string {
	t.Helper()
	for _, d := range parts[*own.DataTable](w) {
		found := map[string]map[string]string{}
		has := false
		for _, row := range d.Rows() {
			cells := map[string]string{}
			var key []string
			for i, c := range row {
				title := d.Columns()[i].Title
				has = has || title == column
				cells[title] = c.Text
				if i < keys {
					key = append(key, c.Text)
				}
			}
			found[strings.Join(key, " ")] = cells
		}
		if has {
			return found
		}
	}
	t.Fatalf("no table has a column %q", column)
	return nil
}

// A sweep typed into the window fills its table with the numbers that tierctl
// sweep prints for the same axes and seed.
func TestASweepOnScreenEqualsThatOfTheCommandLine(t *testing.T) {
	w := window(t)
	w.Session.GoPage("experiments")
	w.Session.Runner.Settle()
	press(t, w, "Add axis")
	typed := 0
	for _, e := range parts[*widget.Entry](w) {
		if strings.Contains(e.Text, ",") { // the proposed values of an axis
			e.SetText([]string{"1,2", "1,2,4"}[typed])
			typed++
		}
	}
	if typed != 2 {
		t.Fatalf("%d axes were found, want 2", typed)
	}
	w.Session.Runner.Settle()
	press(t, w, "Run")
	out, errs, code := tierctl(t.Context(), append([]string{"sweep", webServer, "--axis", "workers=1,2", "--axis", "cores=1,2,4", "--seed", "42", "--format", "csv"}, quick...)...)
	if code != exitDone {
		t.Fatal(errs)
	}
	printed, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	shown := rows(t, w, "cores", 2)
	compared := 0
	for _, r := range printed[1:] { // run,scenario,workers,cores,metric,of,stat,value,lo,hi,n,unit
		text, ok := shown[r[2]+" "+r[3]][recipe.Label(r[4]+" "+r[5]+" "+r[6])]
		if !ok {
			continue // the table has the main metrics only
		}
		compared++
		var v [3]float64
		for i := range v {
			if v[i], err = strconv.ParseFloat(r[7+i], 64); err != nil {
				t.Fatal(err)
			}
		}
		if want := quantity.Interval(v[0], v[1], v[2], r[11]); text != want {
			t.Errorf("workers %s, cores %s: tierctl has %s %s = %s, the window %s", r[2], r[3], r[4], r[6], want, text)
		}
	}
	if compared < 6*3 { // six configurations, at least R, its percentile and X
		t.Errorf("%d numbers were compared, want at least 18:\n%v", compared, shown)
	}
}

// What Validate shows is what tierctl validate prints for the same file and
// seed: measured and predicted values, the signed error, and the verdict.
func TestAValidationOnScreenEqualsThatOfTheCommandLine(t *testing.T) {
	const measured = "workers,rate,R [ms],X [1/s],U\n" + // two runs of three configurations
		"4,10,7.9,10,0.012\n4,10,8.1,9.9,0.013\n4,20,8,20.1,0.025\n4,20,8.3,20.2,0.027\n2,20,9,19.9,0.026\n2,20,8.8,19.8,0.028\n"
	w := window(t)
	w.Session.UseSimulator(simulation.Run, simulation.NewPool(2)) // tierctl validate has no shorter runs
	file := filepath.Join(t.TempDir(), "m.csv")
	if err := os.WriteFile(file, []byte(measured), 0o644); err != nil {
		t.Fatal(err)
	}
	seen, err := recipe.ReadMeasurements(file, w.Session.Model().ParameterNames())
	if err != nil {
		t.Fatal(err)
	}
	addMeasured(w, file, seen)
	out, errs, code := tierctl(t.Context(), "validate", webServer, "--measured", file, "--reps", "3", "--seed", "42")
	if code != exitDone {
		t.Fatal(errs)
	}
	compared := 0
	for _, metric := range []string{"R", "X", "U"} {
		for _, s := range parts[*widget.Select](w) {
			for _, o := range s.Options {
				if o == metric {
					s.SetSelected(metric)
				}
			}
		}
		w.Session.Runner.Settle()
		for key, cells := range rows(t, w, "ε", 2) {
			compared++
			want := fmt.Sprintf("%s %s %s %s %s", key, metric, cells["measured"], cells["predicted"], cells["ε"])
			if !containsWords(out, want) {
				t.Errorf("the window shows %q; tierctl prints\n%s", want, out)
			}
		}
	}
	if compared != 9 {
		t.Errorf("%d comparisons were on the screen, want those of R, X and U in three configurations", compared)
	}
	sentence := strings.SplitN(out, "\n", 2)[0]
	if v := parts[*own.Verdict](w); len(v) != 1 || v[0].Sentence() != sentence {
		t.Errorf("the window says something else than %q", sentence)
	}
}

// addMeasured shows measurements, as after an import, and opens the page.
func addMeasured(w *gui.Window, file string, t *table.Table) {
	w.Session.AddMeasured(session.MeasuredFile{Path: file, Table: t})
	w.Session.GoPage("validate")
	w.Session.Runner.Settle()
}

// containsWords reports whether a line of text begins with the words, however
// many spaces are between them.
func containsWords(text, words string) bool {
	want := strings.Join(strings.Fields(words), " ")
	for line := range strings.SplitSeq(text, "\n") {
		if strings.HasPrefix(strings.Join(strings.Fields(line), " "), want) {
			return true
		}
	}
	return false
}
