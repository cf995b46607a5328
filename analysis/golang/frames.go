package golang

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"

	"tierscope/analysis"
)

// A symbolizer returns the frames of code offsets, innermost first: more than
// one where calls are inlined.
type symbolizer func(offsets []uint64) (map[uint64][]analysis.Frame, error)

// symbols asks the instrumented program itself: its run-time system knows
// which calls the compiler inlined where.
func symbols(ctx context.Context, program, goroot, dir string) symbolizer {
	return func(offsets []uint64) (map[uint64][]analysis.Frame, error) {
		list := make([]byte, 0, 8*len(offsets))
		for _, o := range offsets {
			list = binary.LittleEndian.AppendUint64(list, o)
		}
		name := filepath.Join(dir, "offsets")
		if err := os.WriteFile(name, list, 0o600); err != nil {
			return nil, fmt.Errorf("symbols: %w", err)
		}
		defer os.Remove(name)
		cmd := exec.CommandContext(ctx, program)
		cmd.Env = append(os.Environ(), "TIERSCOPE_FRAMES="+name)
		out, err := cmd.Output()
		if err != nil {
			return nil, fmt.Errorf("symbols of %s: %w", program, err)
		}
		return parseFrames(out, goroot)
	}
}

func parseFrames(out []byte, goroot string) (map[uint64][]analysis.Frame, error) {
	frames := map[uint64][]analysis.Frame{}
	std := goroot + "/src/"
	for line := range bytes.Lines(out) {
		parts := strings.Split(strings.TrimSuffix(string(line), "\n"), "\t")
		offset, err := strconv.ParseUint(parts[0], 10, 64)
		if err != nil {
			return nil, fmt.Errorf("symbols: %q: %w", line, err)
		}
		for _, p := range parts[1:] {
			f := strings.Split(p, "\x00")
			if len(f) != 3 {
				return nil, fmt.Errorf("symbols: %q: want function, file and line", p)
			}
			n, err := strconv.Atoi(f[2])
			if err != nil {
				return nil, fmt.Errorf("symbols: %q: %w", p, err)
			}
			if f[0] == "" {
				f[0] = fmt.Sprintf("?%#x", offset)
			}
			frames[offset] = append(frames[offset], analysis.Frame{Function: f[0], File: f[1], Line: n, Std: strings.HasPrefix(f[1], std)})
		}
	}
	return frames, nil
}
