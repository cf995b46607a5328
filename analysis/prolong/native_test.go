package prolong

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const nativeLocks = `
#include <pthread.h>
#include <time.h>

static pthread_mutex_t vat = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t shelf = PTHREAD_RWLOCK_INITIALIZER;

__attribute__((no_instrument_function)) static void rest(void) { struct timespec t = {0, 2000000}; nanosleep(&t, 0); }

__attribute__((noinline)) static void hold(void) { pthread_mutex_lock(&vat); rest(); pthread_mutex_unlock(&vat); }
__attribute__((noinline)) static void brew(void) { hold(); }
__attribute__((noinline)) static void bake(void) { pthread_mutex_lock(&vat); rest(); pthread_mutex_unlock(&vat); }
__attribute__((noinline)) static void stack(void) { pthread_rwlock_wrlock(&shelf); rest(); pthread_rwlock_unlock(&shelf); }
__attribute__((noinline)) static void once(void) { rest(); }

static void *other(void *x) { for (int i = 0; i < 12; i++) { bake(); stack(); } return 0; }

int main(void) {
	pthread_t t;
	once();
	pthread_create(&t, 0, other, 0);
	for (int i = 0; i < 12; i++) brew();
	return pthread_join(t, 0);
}
`

// brew takes the mutex in what it calls, bake itself: they share it; stack has a lock of its own. brew calls hold, which
// only a run shows. A program that was not compiled for it is refused with how to do so.
func TestFunctionsOfACompiledProgramAreDelayedBehindTheirLocks(t *testing.T) {
	t.Parallel()
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("no gcc")
	}
	dir := t.TempDir()
	source, exe := filepath.Join(dir, "locks.c"), filepath.Join(dir, "locks")
	if err := os.WriteFile(source, []byte(nativeLocks), 0o644); err != nil {
		t.Fatal(err)
	}
	compile := func(flags ...string) {
		if out, err := exec.Command(gcc, append(flags, "-g", "-O1", "-pthread", "-o", exe, source)...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	compile()
	if _, err := Measure(context.Background(), Plan{Program: exe}); err == nil || !strings.Contains(err.Error(), "-finstrument-functions") {
		t.Errorf("error %v, want how to compile the program", err)
	}
	compile("-finstrument-functions")
	r, err := Measure(context.Background(), Plan{Program: exe, Levels: []float64{1}, Repeats: 1, Baselines: 1})
	if err != nil {
		t.Fatal(err)
	}
	e := r.Experiment
	at := func(name string) int {
		i := slices.Index(e.Modules, name)
		if i < 0 {
			t.Fatalf("modules %v, want %s among them; left out: %v", e.Modules, name, r.Skipped)
		}
		return i
	}
	brew, bake, hold, stack := at("brew"), at("bake"), at("hold"), at("stack")
	if len(e.Carriers[brew]) != 1 || !slices.Equal(e.Carriers[brew], e.Carriers[bake]) || slices.Equal(e.Carriers[stack], e.Carriers[bake]) || len(e.Carriers[stack]) != 1 {
		t.Errorf("brew acquires %v, bake %v, stack %v; want one lock of the first two, and another", e.Carriers[brew], e.Carriers[bake], e.Carriers[stack])
	}
	if !e.Calls[brew][hold] || e.Calls[bake][hold] {
		t.Errorf("calls are %v of %v, want that brew calls hold and bake does not", e.Calls, e.Modules)
	}
	for _, run := range e.Runs {
		if run.Times[bake] < 2e-3 || run.Module >= 0 && run.Delay < 1.8e-3 {
			t.Errorf("bake takes %g s and %s was delayed by %g, want the 2 ms that they rest or more", run.Times[bake], e.Modules[max(0, run.Module)], run.Delay)
		}
	}
}
