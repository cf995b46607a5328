package main

import (
	"github.com/spf13/cobra"

	"tierscope/core"
	"tierscope/project"
)

// configuration are the flags that set parameters of a model.
type configuration struct {
	set                  []string
	threads, cores, rate string
}

func (c *configuration) flags(cmd *cobra.Command) {
	cmd.Flags().StringArrayVar(&c.set, "set", nil, "set a parameter or path: `NAME=VALUE`, repeatable (see tierctl show --knobs)")
	cmd.Flags().StringVar(&c.threads, "threads", "", "size of the thread pool")
	cmd.Flags().StringVar(&c.cores, "cores", "", "number of cores")
	cmd.Flags().StringVar(&c.rate, "rate", "", "arrival rate, such as 120/s")
}

// settings returns what the flags set in m.
func (c *configuration) settings(m *core.Model) (map[string]float64, error) {
	out, err := settings(c.set)
	if err != nil {
		return nil, exit(exitUsage, err)
	}
	for _, s := range []struct {
		flag, text string
		means      func(string) bool
	}{{"threads", c.threads, isThreads}, {"cores", c.cores, isCores}, {"rate", c.rate, isRate}} {
		if s.text == "" {
			continue
		}
		name, err := shortcut(m, s.flag, s.means)
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		v, err := number(s.text)
		if err != nil {
			return nil, exit(exitUsage, err)
		}
		out[name] = v
	}
	return out, nil
}

// loadModel reads a model file or the model of a project folder.
func loadModel(path string) (core.Model, error) {
	m, err := project.LoadModel(path)
	if err != nil {
		return core.Model{}, exit(exitInput, err)
	}
	return m, nil
}
