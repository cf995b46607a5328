// Command tierlayout finds coordinates for the nodes and edges of a graph: it reads the graph in
// Graphviz's language from standard input, and writes Graphviz's plain format to standard
// output. tierctl and tierscope start it (package gui/graphlayout); nobody else needs to.
//
// It is a program of its own for what go-graphviz does before main: it compiles Graphviz to
// machine code and keeps that in the folder for temporary files, which only the environment
// that a program is started with can choose.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	graphviz "github.com/goccy/go-graphviz"
)

func main() {
	if err := layOut(os.Stdin, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "tierlayout:", err)
		os.Exit(1)
	}
}

// layOut reads one graph and writes where its nodes and edges are.
func layOut(in io.Reader, out io.Writer) error {
	dot, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	ctx := context.Background()
	engine, err := graphviz.New(ctx)
	if err != nil {
		return err
	}
	graph, err := graphviz.ParseBytes(dot)
	if err != nil {
		return err
	}
	// Only the plain format is ever asked for: an unknown one poisons the engine.
	return errors.Join(engine.Render(ctx, graph, "plain", out), graph.Close())
}
