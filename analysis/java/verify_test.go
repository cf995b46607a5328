package java

import (
	"archive/zip"
	"errors"
	"hash/crc32"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tierscope/analysis/java/agent"
	"tierscope/analysis/java/classfile"
)

// worldOf is a program whose classes are all those of archives, as if all were
// loaded.
func worldOf(t *testing.T, archives ...string) *world {
	t.Helper()
	return worldWith(t, func(string) bool { return true }, archives...)
}

// worldWith is the same of the files of archives that are wanted, by name.
func worldWith(t *testing.T, wanted func(name string) bool, archives ...string) *world {
	t.Helper()
	w := &world{supertypes: map[string][]string{}, closures: map[string]map[string]bool{}}
	add := func(b []byte) {
		f, err := classfile.Parse(b)
		if err != nil {
			t.Fatal(err)
		}
		name := f.Pool.Class(f.This)
		w.classes = append(w.classes, loaded{name: name, file: f})
		w.supertypes[name] = f.Supertypes()
	}
	for _, a := range archives {
		if st, err := os.Stat(a); err == nil && st.IsDir() {
			names, _ := filepath.Glob(filepath.Join(a, "*.class"))
			for _, n := range names {
				b, err := os.ReadFile(n)
				if err != nil {
					t.Fatal(err)
				}
				add(b)
			}
			continue
		}
		z, err := zip.OpenReader(a)
		if err != nil {
			t.Fatal(err)
		}
		defer z.Close()
		for _, e := range z.File {
			name := strings.TrimPrefix(e.Name, "classes/") // of a jmod
			if !strings.HasSuffix(name, ".class") || strings.HasSuffix(name, "module-info.class") || strings.HasPrefix(name, "META-INF/") || !wanted(name) {
				continue
			}
			in, err := e.Open()
			if err != nil {
				t.Fatal(err)
			}
			b, err := io.ReadAll(in)
			in.Close()
			if err != nil {
				t.Fatal(err)
			}
			add(b)
		}
	}
	return w
}

// written writes classes into a folder and returns their names as Java has them.
func written(t *testing.T, dir string, cs []substitute) (names []string) {
	t.Helper()
	for _, c := range cs {
		file := filepath.Join(dir, filepath.FromSlash(c.name)+".class")
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, c.file, 0o644); err != nil {
			t.Fatal(err)
		}
		names = append(names, strings.ReplaceAll(c.name, "/", "."))
	}
	return names
}

var linkedCount = regexp.MustCompile(`(?m)^LINKED (\d+)$`)

// link runs a JVM that verifies all classes, whoever loads them, and returns
// how many of the classes it linked.
func link(t *testing.T, names []string, classpath string, options ...string) int {
	t.Helper()
	list := filepath.Join(t.TempDir(), "names")
	if err := os.WriteFile(list, []byte(strings.Join(names, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Fatal(err)
	}
	jar, err := agent.Jar(t.Context(), javac, cacheDir)
	if err != nil {
		t.Fatal(err)
	}
	args := slices.Concat([]string{"-Xverify:all", "-Xshare:off", "-Xbootclasspath/a:" + jar}, options, []string{"-cp", classpath, "Load", list})
	out, err := exec.Command("java", args...).CombinedOutput()
	for _, line := range strings.Split(string(out), "\n") {
		if strings.HasPrefix(line, "REJECTED") {
			t.Error(line)
		}
	}
	m := linkedCount.FindSubmatch(out)
	if err != nil || m == nil {
		t.Fatalf("java %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	n, err := strconv.Atoi(string(m[1]))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The verifier of the JVM takes every class with probes: those of our
// subjects, of the jars that TIERSCOPE_JARS names (separated by colons), and those
// of the JDK itself, which take the place of its own.
func TestTheVerifierTakesEveryClassWithProbes(t *testing.T) {
	t.Parallel()
	subjects, err := filepath.Glob("../../testdata/programs/java/*.java")
	if err != nil || len(subjects) == 0 {
		t.Fatal("no subjects", err)
	}
	plain := compiled(t, slices.Concat(subjects, []string{filepath.Join("testdata", "constructs", "Constructs.java"), filepath.Join("testdata", "verify", "Load.java")})...)
	archives := []string{plain}
	if jars := os.Getenv("TIERSCOPE_JARS"); jars != "" {
		archives = append(archives, strings.Split(jars, ":")...)
	}
	in := worldOf(t, archives...).instrument(nil)
	for _, s := range in.skipped {
		t.Logf("without probes: %s", s)
	}
	probed := t.TempDir()
	names := written(t, probed, in.classes)
	n := link(t, names, strings.Join(slices.Concat([]string{probed}, archives), ":"))
	t.Logf("the program: %d classes with %d probes, %d linked", len(names), len(in.probes)-1, n)
	if n == 0 {
		t.Error("no class was linked")
	}

	patch := t.TempDir()
	names = written(t, patch, worldOf(t, javaBase(t)).instrument(nil).classes)
	stub(t, patch, "Probe")
	n = link(t, names, plain, "--patch-module", "java.base="+patch)
	t.Logf("java.base: %d classes with probes, %d linked", len(names), n)
	if n != len(names) {
		t.Errorf("%d of %d classes of java.base with probes were linked", n, len(names))
	}
}

// javaBase is the archive with the classes of module java.base.
func javaBase(t *testing.T) string {
	t.Helper()
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Fatal(err)
	}
	if javac, err = filepath.EvalSymlinks(javac); err != nil {
		t.Fatal(err)
	}
	base := filepath.Join(filepath.Dir(filepath.Dir(javac)), "jmods", "java.base.jmod")
	if _, err := os.Stat(base); err != nil {
		t.Skip("this JDK has no jmods: the classes of java.base were not verified: ", err)
	}
	return base
}

// stub compiles a class of the agent that does nothing as one of java.base.
func stub(t *testing.T, patch, class string) {
	t.Helper()
	dir := filepath.Join("testdata", "verify", "stub")
	if out, err := exec.Command("javac", "--patch-module", "java.base="+dir, "-d", patch, filepath.Join(dir, "tierscope", class+".java")).CombinedOutput(); err != nil {
		t.Fatalf("javac: %v\n%s", err, out)
	}
}

// The verifier takes the loops of java.util with counters, which begin and end
// in every way that the compiler knows.
func TestTheVerifierTakesLoopsWithCounters(t *testing.T) {
	t.Parallel()
	plain := compiled(t, filepath.Join("testdata", "verify", "Load.java"))
	l := &Loops{methods: make([]countedMethod, 1), sites: make([]string, 1)}
	var counted []substitute
	for _, c := range worldOf(t, javaBase(t)).classes {
		if strings.HasPrefix(c.name, "java/util/") && l.count(c.name, c.file) {
			counted = append(counted, substitute{c.name, c.sum, c.file.Bytes()})
		}
	}
	for _, s := range l.Skipped {
		t.Errorf("without counters: %s", s)
	}
	patch := t.TempDir()
	names := written(t, patch, counted)
	stub(t, patch, "Loops")
	n := link(t, names, plain, "--patch-module", "java.base="+patch)
	t.Logf("java.util: %d loops in %d classes, %d linked", len(l.List), len(names), n)
	if n != len(names) || len(l.List) < len(names)/4 {
		t.Errorf("%d of %d classes of java.util with counters in %d loops were linked", n, len(names), len(l.List))
	}
}

// The verifier takes java.base with code inserted before every instruction,
// and after calls and monitors: whatever names an address has moved with it.
// TIERSCOPE_ALL=1 takes all classes but two, with which the JVM starts;
// otherwise it is one of 24.
func TestTheVerifierTakesCodeInsertedEverywhere(t *testing.T) {
	t.Parallel()
	plain := compiled(t, filepath.Join("testdata", "verify", "Load.java"))
	share := uint32(24)
	if os.Getenv("TIERSCOPE_ALL") != "" {
		share = 1
	}
	wanted := func(name string) bool {
		return crc32.ChecksumIEEE([]byte(name))%share == 0 && name != "java/lang/Object.class" && name != "java/lang/Class.class"
	}
	var padded []substitute
	methods, large := 0, 0
	for _, c := range worldWith(t, wanted, javaBase(t)).classes {
		for k := range c.file.Methods {
			switch err := pad(c.file, &c.file.Methods[k]); {
			case errors.Is(err, classfile.ErrTooLarge):
				large++
			case err != nil:
				t.Errorf("%s: %v", c.name, err)
			default:
				methods++
			}
		}
		padded = append(padded, substitute{c.name, c.sum, c.file.Bytes()})
	}
	patch := t.TempDir()
	names := written(t, patch, padded)
	n := link(t, names, plain, "--patch-module", "java.base="+patch)
	t.Logf("%d methods, %d too large to be padded, in %d classes, %d linked", methods, large, len(names), n)
	if n != len(names) {
		t.Errorf("%d of %d classes were linked", n, len(names))
	}
}

// pad inserts instructions that do nothing all over a method.
func pad(f *classfile.File, m *classfile.Member) error {
	code, err := f.Code(m)
	if err != nil || code == nil {
		return err
	}
	const nop = 0
	for _, in := range code.Instructions() {
		code.Before(in.PC, []byte{nop, nop})
		switch in.Op {
		case classfile.OpInvokeVirtual, classfile.OpInvokeSpecial, classfile.OpInvokeStatic, classfile.OpInvokeIface, classfile.OpInvokeDynamic,
			classfile.OpMonitorEnter, classfile.OpMonitorExit, classfile.OpDup:
			code.After(in.PC, []byte{nop})
		}
	}
	if _, err := code.Reserve(3, 4); err != nil {
		return err
	}
	data, err := code.Relocate()
	if err == nil {
		f.SetCode(m, data)
	}
	return err
}
