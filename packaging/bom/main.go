// Command bom writes the bill of materials of some Go programs as CycloneDX 1.5 JSON
// (https://cyclonedx.org): the modules that the linker noted in them.
//
//	bom -version 1.2.3 -epoch 1700000000 tierscope tierctl
package main

import (
	"cmp"
	"debug/buildinfo"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

type component struct {
	Type    string `json:"type"`
	Name    string `json:"name"`
	Version string `json:"version"`
	URL     string `json:"purl,omitempty"` // https://github.com/package-url/purl-spec
}

type document struct {
	Format   string `json:"bomFormat"`
	Spec     string `json:"specVersion"`
	Version  int    `json:"version"`
	Metadata struct {
		Time      string    `json:"timestamp"`
		Component component `json:"component"`
	} `json:"metadata"`
	Components []component `json:"components"`
}

func main() {
	version := flag.String("version", "", "of the release")
	epoch := flag.Int64("epoch", 0, "time of the release, seconds since 1970")
	flag.Parse()
	if err := write(*version, time.Unix(*epoch, 0).UTC(), flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "bom:", err)
		os.Exit(1)
	}
}

func write(version string, at time.Time, programs []string) error {
	d := document{Format: "CycloneDX", Spec: "1.5", Version: 1}
	d.Metadata.Time = at.Format(time.RFC3339)
	d.Metadata.Component = component{Type: "application", Name: "tierscope", Version: version}
	for _, program := range programs {
		info, err := buildinfo.ReadFile(program)
		if err != nil {
			return err
		}
		d.Components = append(d.Components, golang("std", strings.TrimPrefix(info.GoVersion, "go")))
		for _, m := range info.Deps {
			if m.Replace != nil {
				m = m.Replace
			}
			d.Components = append(d.Components, golang(m.Path, m.Version))
		}
	}
	slices.SortFunc(d.Components, func(a, b component) int { return cmp.Compare(a.URL, b.URL) })
	d.Components = slices.Compact(d.Components)
	out := json.NewEncoder(os.Stdout)
	out.SetIndent("", "  ")
	return out.Encode(d)
}

func golang(path, version string) component {
	return component{Type: "library", Name: path, Version: version, URL: "pkg:golang/" + path + "@" + version}
}
