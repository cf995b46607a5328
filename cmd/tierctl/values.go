package main

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"tierscope/core"
)

// number parses a value of a setting: a plain number, a duration such as 200ms
// (seconds), a rate such as 120/s (per second), or a percentage.
func number(text string) (float64, error) {
	s := strings.TrimSpace(text)
	if v, err := strconv.ParseFloat(s, 64); err == nil {
		return v, nil
	}
	if head, ok := strings.CutSuffix(s, "%"); ok {
		if v, err := strconv.ParseFloat(strings.TrimSpace(head), 64); err == nil {
			return v / 100, nil
		}
	}
	for suffix, seconds := range map[string]float64{"/s": 1, "/min": 60, "/h": 3600} {
		if head, ok := strings.CutSuffix(s, suffix); ok {
			if v, err := strconv.ParseFloat(strings.TrimSpace(head), 64); err == nil {
				return v / seconds, nil
			}
		}
	}
	if d, err := time.ParseDuration(s); err == nil {
		return d.Seconds(), nil
	}
	return 0, fmt.Errorf("%q is not a number, a duration (200ms), a rate (120/s) or a percentage (5%%)", text)
}

// settings parses name=value pairs.
func settings(pairs []string) (map[string]float64, error) {
	out := map[string]float64{}
	for _, pair := range pairs {
		name, text, found := strings.Cut(pair, "=")
		if !found || name == "" {
			return nil, fmt.Errorf("--set %q: give NAME=VALUE", pair)
		}
		v, err := number(text)
		if err != nil {
			return nil, fmt.Errorf("--set %s: %w", name, err)
		}
		if _, twice := out[name]; twice {
			return nil, fmt.Errorf("--set %s: is given twice", name)
		}
		out[name] = v
	}
	return out, nil
}

// shortcut resolves --threads, --cores and --rate: the parameter that drives
// the knobs it means, or the only such knob.
func shortcut(m *core.Model, flag string, means func(path string) bool) (string, error) {
	var found []string
	for _, p := range m.Parameters {
		for _, t := range p.Targets {
			if means(t.Path) {
				found = append(found, p.Name)
				break
			}
		}
	}
	if len(found) == 0 {
		for _, k := range m.Knobs() {
			if means(k.Path) {
				found = append(found, k.Path)
			}
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return "", fmt.Errorf("--%s: the model has nothing that it could set", flag)
	default:
		return "", fmt.Errorf("--%s could mean %s; use --set NAME=VALUE", flag, strings.Join(found, ", "))
	}
}

// Which paths a shortcut means.
func isThreads(path string) bool {
	return strings.HasPrefix(path, "pools/") && strings.HasSuffix(path, "/size")
}
func isCores(path string) bool { return path == "cpu/cores" }
func isRate(path string) bool {
	return strings.HasPrefix(path, "sources/") && (strings.HasSuffix(path, "/rate") || strings.HasSuffix(path, "/rate_per_s"))
}

// knobOf is what a name of an axis means: a parameter or path of the model, or, where the
// model has none of that name, what the flag of the name sets.
func knobOf(m *core.Model, name string) string {
	if _, ok := m.Parameter(name); ok {
		return name
	}
	means := map[string]func(string) bool{"threads": isThreads, "cores": isCores, "rate": isRate}[name]
	if means == nil {
		return name
	}
	if knob, err := shortcut(m, name, means); err == nil {
		return knob
	}
	return name // the experiment says what there is
}
