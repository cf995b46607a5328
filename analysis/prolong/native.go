package prolong

import (
	"cmp"
	"context"
	"debug/elf"
	_ "embed" // for the probes
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"

	"tierscope/analysis/execution"
	"tierscope/analysis/journal"
)

//go:embed native.c.txt
var nativeProbes []byte

// nativeProgram is a compiled program with pthreads, whose functions call probes because it was
// compiled so: gcc -finstrument-functions, which clang and g++ know, too.
type nativeProgram struct {
	plan      Plan
	dir       string
	exe       string
	functions []elf.Symbol // by address
	library   string       // with the probes
}

// isExecutable reports whether a path is an ELF file.
func isExecutable(path string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, len(elf.ELFMAG))
	_, err = f.Read(head)
	return err == nil && string(head) == elf.ELFMAG
}

func newNative(ctx context.Context, p Plan, dir string) (*nativeProgram, error) {
	if p.Granularity != Function {
		return nil, errors.New("prolong: modules of a compiled program are its functions")
	}
	exe, err := filepath.Abs(p.Program)
	if err != nil {
		return nil, fmt.Errorf("prolong: %w", err)
	}
	n := &nativeProgram{plan: p, dir: dir, exe: exe, library: filepath.Join(dir, "probes.so")}
	if err := n.symbols(); err != nil {
		return nil, err
	}
	compiler := ""
	for _, name := range []string{"gcc", "clang", "cc"} {
		if path, err := exec.LookPath(name); err == nil {
			compiler = path
			break
		}
	}
	if compiler == "" {
		return nil, errors.New("prolong: the probes of compiled programs need a C compiler, such as gcc")
	}
	source := filepath.Join(dir, "probes.c")
	if err := os.WriteFile(source, nativeProbes, 0o600); err != nil {
		return nil, fmt.Errorf("prolong: %w", err)
	}
	if out, err := exec.CommandContext(ctx, compiler, "-O2", "-shared", "-fPIC", "-o", n.library, source, "-ldl", "-lpthread").CombinedOutput(); err != nil {
		return nil, fmt.Errorf("prolong: the probes do not compile: %w\n%s", err, out)
	}
	return n, nil
}

// symbols reads the functions of the program.
func (n *nativeProgram) symbols() error {
	file, err := elf.Open(n.exe)
	if err != nil {
		return fmt.Errorf("prolong: %w", err)
	}
	defer file.Close()
	all, err := file.Symbols()
	if err != nil {
		return fmt.Errorf("prolong: %s has no names of functions: do not strip it (%w)", n.plan.Program, err)
	}
	imported, err := file.ImportedSymbols()
	if err != nil || !slices.ContainsFunc(imported, func(s elf.ImportedSymbol) bool { return s.Name == "__cyg_profile_func_enter" }) {
		return fmt.Errorf("prolong: the functions of %s call no probes: compile it with -g -finstrument-functions, and link it dynamically", n.plan.Program)
	}
	for _, s := range all {
		if elf.ST_TYPE(s.Info) == elf.STT_FUNC && s.Size > 0 {
			n.functions = append(n.functions, s)
		}
	}
	slices.SortFunc(n.functions, func(a, b elf.Symbol) int { return cmp.Compare(a.Value, b.Value) })
	return nil
}

func (n *nativeProgram) state() string { return journal.State(n.exe) }

// function is that of an address in the program; "" if there is none.
func (n *nativeProgram) function(address uint64) string {
	i, found := slices.BinarySearchFunc(n.functions, address, func(s elf.Symbol, a uint64) int { return cmp.Compare(s.Value, a) })
	if !found {
		i--
	}
	if i < 0 || address >= n.functions[i].Value+n.functions[i].Size {
		return ""
	}
	return n.functions[i].Name
}

func (n *nativeProgram) probe(_ context.Context, keep func(string) bool) (*structure, launcher, error) {
	s := &structure{site: func(address int) string { return "locked in " + cmp.Or(n.function(uint64(address)), "a library") }}
	index := map[string]int{}
	var table []byte
	for _, f := range n.functions {
		if f.Name == "main" || !keep(f.Name) {
			continue
		}
		if _, ok := index[f.Name]; !ok && len(s.names) < maxModules {
			index[f.Name] = len(s.names)
			s.names = append(s.names, f.Name)
		}
		if id, ok := index[f.Name]; ok {
			table = binary.NativeEndian.AppendUint64(table, f.Value)
			table = binary.NativeEndian.AppendUint64(table, uint64(id))
		}
	}
	link(s, map[int]int{}, nil)
	functions, calls := filepath.Join(n.dir, "functions"), filepath.Join(n.dir, "calls")
	if err := os.WriteFile(functions, table, 0o600); err != nil {
		return nil, nil, fmt.Errorf("prolong: %w", err)
	}
	return s, func(ctx context.Context, file string) (ended, error) {
		if err := os.WriteFile(calls, make([]byte, len(s.names)*len(s.names)), 0o600); err != nil {
			return ended{}, fmt.Errorf("prolong: %w", err)
		}
		program := execution.Program{Path: n.exe, Args: n.plan.Args, Env: append(append(os.Environ(), n.plan.Env...),
			"LD_PRELOAD="+n.library, "TIERSCOPE_PROLONG="+file, "TIERSCOPE_FUNCTIONS="+functions, "TIERSCOPE_CALLS="+calls)}
		run, _, err := program.Finish(ctx, n.plan.Timeout)
		if err != nil {
			return ended{}, err
		}
		pairs, err := os.ReadFile(calls)
		if err != nil {
			return ended{}, fmt.Errorf("prolong: %w", err)
		}
		took := ended{wall: run.Wall.Seconds(), cpu: run.CPU.Seconds()}
		for k, called := range pairs {
			if from, to := k/len(s.names), k%len(s.names); called != 0 && from != to {
				took.calls = append(took.calls, [2]int{from, to})
			}
		}
		return took, nil
	}, nil
}
