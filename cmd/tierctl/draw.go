package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"tierscope/core"
	"tierscope/gui/chart"
	"tierscope/gui/diagram"
	"tierscope/gui/graphlayout"
	"tierscope/gui/paint"
	"tierscope/project"
)

// diagramOf returns the diagram of a tier of m, or of the call graph of a pool.
func diagramOf(m *core.Model, graphs []core.Graph, tier int, pool string) (*diagram.Diagram, error) {
	switch {
	case pool != "" || tier == 2 && len(graphs) == 1:
		return diagram.CallGraph(&graphs[0], nil), nil
	case tier == 2:
		return nil, fmt.Errorf("--tier 2: a picture shows one call graph; choose it with --pool")
	case tier == 3:
		return diagram.Resources(m), nil
	}
	return diagram.Network(m), nil
}

// draw writes a diagram to a file, as the window would save it.
func draw(ctx context.Context, d *diagram.Diagram, model, file string) error {
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(file)), ".")
	if !slices.Contains(paint.Formats, format) {
		return exit(exitUsage, fmt.Errorf("%s: the extension must be one of %s", file, strings.Join(paint.Formats, ", ")))
	}
	fonts := paint.Liberation()
	placed, err := diagram.Place(ctx, d, graphlayout.New("", ""), fonts)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	from := chart.Provenance{Model: model, Program: "tierctl " + version, Date: chart.Today()}
	if err := diagram.Export(&b, format, placed, fonts, d.Name+" · "+from.Line(), from.About(d.Name, d.Name+" of "+model)); err != nil {
		return err
	}
	return project.WriteFile(file, b.Bytes())
}
