package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/project"
)

func newConvert(t *terminal) *cobra.Command {
	return &cobra.Command{
		Use:   "convert FROM TO",
		Short: "Convert between a model file, a project folder (.tier) and a bundle (.tierz)",
		Long: `convert turns a model file into a project folder, a project folder into a bundle
(one file for sharing), a bundle into a folder, or takes the model out of a
project. A model file of an older version is written in the present one. TO may
be "-" for a model on standard output.`,
		Example: "  tierctl convert model.json shop.tier\n  tierctl convert shop.tier shop.tierz\n  tierctl convert shop.tier -",
		Args:    cobra.ExactArgs(2),
		RunE: func(_ *cobra.Command, args []string) error {
			return convert(t, args[0], args[1])
		},
	}
}

func convert(t *terminal, from, to string) error {
	switch {
	case strings.HasSuffix(from, project.BundleExtension):
		return exit(exitInput, project.Unbundle(from, to))
	case strings.HasSuffix(to, project.BundleExtension):
		p, err := project.Open(from)
		if err != nil {
			return exit(exitInput, err)
		}
		return p.Bundle(to, true)
	}
	m, err := loadModel(from)
	if err != nil {
		return err
	}
	switch {
	case to == "-":
		return core.Encode(t.out, m)
	case strings.HasSuffix(to, project.Extension):
		name := strings.TrimSuffix(filepath.Base(to), project.Extension)
		if _, err := project.Create(to, project.Manifest{Name: name, Tool: "tierctl " + version}, m); err != nil {
			return err
		}
		fmt.Fprintf(t.err, "made %s\n", to)
		return nil
	}
	if info, err := os.Stat(to); err == nil && info.IsDir() {
		return exit(exitUsage, fmt.Errorf("%s: is a directory; name a file, or a folder that ends in %s", to, project.Extension))
	}
	return project.Save(to, core.ModelFormat, m)
}
