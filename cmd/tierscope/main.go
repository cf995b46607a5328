// Command tierscope is the desktop application.
//
//	tierscope [PROJECT|MODEL]                  open the window
//	tierscope --screenshot DIR PROJECT         write a picture of every page, without a display
//
// It is the only program that imports fyne.io/fyne/v2/app, and so the only one
// that needs cgo and a display; tierctl does the same work without either.
package main

import (
	"bufio"
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"

	"fyne.io/fyne/v2"
	"fyne.io/fyne/v2/app"

	"tierscope/cmd/target"
	"tierscope/gui"
	"tierscope/gui/graphlayout"
	"tierscope/gui/probe"
	"tierscope/gui/snapshot"
)

// version is set by the Makefile.
var version = "development"

func main() {
	exit(run(os.Args[1:], os.Stdin, os.Stdout))
}

func exit(err error) {
	switch {
	case err == nil || errors.Is(err, flag.ErrHelp):
		os.Exit(0)
	case errors.Is(err, errUsage):
		os.Exit(2)
	}
	fmt.Fprintln(os.Stderr, "tierscope:", err)
	os.Exit(1)
}

var errUsage = errors.New("wrong usage")

func run(args []string, in io.Reader, out io.Writer) error {
	flags := flag.NewFlagSet("tierscope", flag.ContinueOnError)
	pictures := flags.String("screenshot", "", "write a picture of every page into this `folder`, without a display, and exit")
	place := flags.String("page", "", "open on this `page`, such as model, scenarios or validate")
	appearance := flags.String("theme", "", "light, dark or system; default: as in the settings")
	size := flags.String("size", "1280x800", "size of the window of the pictures, in device-independent pixels")
	scale := flags.Float64("scale", 1, "pixels per device-independent pixel of the pictures")
	probing := flags.Bool("probe", false, "answer each line on standard input with the state of the window as JSON, for driven tests")
	showVersion := flags.Bool("version", false, "print the version and exit")
	flags.Usage = func() {
		fmt.Fprintf(flags.Output(), "usage: tierscope [flags] [PROJECT.tier | MODEL.json]\n")
		flags.PrintDefaults()
	}
	if err := flags.Parse(args); err != nil {
		if errors.Is(err, flag.ErrHelp) {
			return err
		}
		return errUsage
	}
	if *showVersion {
		_, err := fmt.Fprintln(out, "tierscope", version)
		return err
	}
	o := gui.Options{Samples: samples(), Own: own(), Keys: keys(), Cache: cache(), Version: version, Target: target.Of, Theme: *appearance}
	if *pictures != "" {
		var w, h float32
		if _, err := fmt.Sscanf(*size, "%gx%g", &w, &h); err != nil || !(w > 0) || !(h > 0) {
			return fmt.Errorf("--size %s: expected WIDTHxHEIGHT, such as 1024x672", *size)
		}
		return snapshot.Write(snapshot.Options{Dir: *pictures, Project: flags.Arg(0), Theme: *appearance, Scale: float32(*scale), Width: w, Height: h, GUI: o, Progress: out})
	}
	if err := display(); err != nil {
		return err
	}
	// Two more than the simulations use: neither the window nor what it has worked out beside them waits for one of
	// their time slices.
	o.Cores = runtime.GOMAXPROCS(0)
	runtime.GOMAXPROCS(o.Cores + 2)
	o.Layouter = graphlayout.New("", o.Cache)
	go o.Layouter.Prepare(context.Background())
	a := app.NewWithID("io.tierscope.Tierscope")
	w, err := gui.New(a, o)
	if err != nil {
		return err
	}
	if path := flags.Arg(0); path != "" {
		w.OpenAt(path, *place)
	}
	if *probing {
		go answer(a, w, in, out)
	}
	w.Window.ShowAndRun()
	return nil
}

// answer writes the state of the window for every line that comes in, and
// closes it at the end of the input.
func answer(a fyne.App, w *gui.Window, in io.Reader, out io.Writer) {
	lines := bufio.NewScanner(in)
	for lines.Scan() {
		fyne.DoAndWait(func() { probe.Write(out, w.Window, w.Session) })
	}
	fyne.Do(a.Quit)
}

// display says plainly that there is no screen; GLFW would panic.
func display() error {
	if runtime.GOOS != "linux" || os.Getenv("DISPLAY") != "" || os.Getenv("WAYLAND_DISPLAY") != "" {
		return nil
	}
	return errors.New("there is no display (DISPLAY and WAYLAND_DISPLAY are not set).\n" +
		"Start it under a virtual one:   xvfb-run -a tierscope PROJECT\n" +
		"or write pictures of all pages: tierscope --screenshot DIR PROJECT\n" +
		"or use the command line twin:   tierctl --help")
}

// samples finds the sample projects: beside the program, or in the source tree.
func samples() string {
	candidates := []string{"assets/samples"}
	if self, err := os.Executable(); err == nil {
		dir := filepath.Dir(self)
		candidates = append([]string{filepath.Join(dir, "samples"), filepath.Join(dir, "..", "assets", "samples"), filepath.Join(dir, "..", "share", "tierscope", "samples")}, candidates...)
	}
	for _, c := range candidates {
		if info, err := os.Stat(c); err == nil && info.IsDir() {
			return c
		}
	}
	return candidates[0]
}

// own is the folder for the user's copies of the samples; "" if the user has
// no folder for such things.
func own() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "tierscope", "samples")
}

// keys is the file of the user's own keys.
func keys() string {
	dir, err := os.UserConfigDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "tierscope", "keys.json")
}

// cache is the folder for layouts; "" (memory only) if the user has none.
func cache() string {
	dir, err := os.UserCacheDir()
	if err != nil || os.MkdirAll(dir, 0o700) != nil { // Fyne does not make it either
		return ""
	}
	return filepath.Join(dir, "tierscope", "layouts")
}
