// Command constructs executes one construct of Go, so that a test can compare
// what the probes report with what the source says. A construct is a file;
// its comments say what every goroutine does:
//
//	// WANT start function: operation operation=result …
//	// WANT+ start function: operations in this order, others between them
//
// WANT counts operations that have the file in their calling context. The
// start function of the goroutine that runs the construct is main.main.
package main

import (
	"fmt"
	"os"
	"slices"
	"strings"
)

var constructs = map[string]func(){
	"additions": additions, "afterfunc": afterfunc, "buffered": buffered, "closed": closed, "cond": cond, "demand": demand, "hog": hog, "context": contexts, "coroutine": coroutine,
	"errgroup": errgroups, "exec": execs, "files": files, "garbage": garbage, "goexit": goexit, "gosched": gosched, "http": https, "mutex": mutex,
	"once": once, "panics": panics, "pool": pool, "ready": ready, "rwmutex": rwmutex, "select": selects, "semaphore": semaphores,
	"sleep": sleep, "timer": timer, "trylock": trylock, "unbuffered": unbuffered, "waitgroup": waitgroup,
}

func main() {
	if len(os.Args) == 2 && constructs[os.Args[1]] != nil {
		constructs[os.Args[1]]()
		return
	}
	var names []string
	for n := range constructs {
		names = append(names, n)
	}
	slices.Sort(names)
	fmt.Fprintln(os.Stderr, "usage: constructs", strings.Join(names, "|"))
	os.Exit(2)
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
