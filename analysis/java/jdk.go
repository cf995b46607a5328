package java

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"tierscope/analysis/trace"
)

// Releases of Java that the agent runs on and whose class files are known.
const (
	oldestRelease = 11
	newestRelease = 25
)

// program is a Java program with the JVM that runs it.
type program struct {
	java    string   // the launcher
	javac   string   // the compiler for the agent
	args    []string // of the launcher
	release int
}

// find locates the JVM, and a compiler for the agent. The program is a java
// command ("java", with its arguments) or a jar.
func find(ctx context.Context, w trace.Workload) (*program, error) {
	p := &program{java: w.Program, args: w.Args}
	switch {
	case w.Program == "":
		return nil, errors.New("no program given: want a java command, as in: java -cp classes Main")
	case strings.HasSuffix(w.Program, ".jar"):
		if err := checkJar(w); err != nil {
			return nil, err
		}
		p.java, p.args = "java", append([]string{"-jar", w.Program}, w.Args...)
	case filepath.Base(w.Program) != "java":
		return nil, fmt.Errorf("%s is neither a java command nor a jar: want the command line of a JVM, as in: java -cp classes Main; what a start script runs is shown by: ps -ww", w.Program)
	case len(w.Args) == 0:
		return nil, errors.New("java needs the name of a class or -jar: want the whole command line, as in: java -cp classes Main")
	}
	path, err := exec.LookPath(p.java)
	if err != nil {
		return nil, fmt.Errorf("no Java: %s was not found; install a JDK from %d to %d (Debian: apt install openjdk-17-jdk-headless)", p.java, oldestRelease, newestRelease)
	}
	p.java = path
	if p.release, err = releaseOf(ctx, path); err != nil {
		return nil, err
	}
	if p.release < oldestRelease || p.release > newestRelease {
		return nil, fmt.Errorf("%s is Java %d: Tierscope knows Java %d to %d", path, p.release, oldestRelease, newestRelease)
	}
	if p.javac, err = compiler(path); err != nil {
		return nil, err
	}
	return p, nil
}

// compiler finds javac beside java, or else in PATH.
func compiler(java string) (string, error) {
	if real, err := filepath.EvalSymlinks(java); err == nil {
		if beside := filepath.Join(filepath.Dir(real), "javac"); isFile(beside) {
			return beside, nil
		}
	}
	javac, err := exec.LookPath("javac")
	if err != nil {
		return "", fmt.Errorf("no Java compiler: %s comes from a JRE and there is no javac in PATH; the agent is compiled once, install a JDK (Debian: apt install openjdk-17-jdk-headless)", java)
	}
	return javac, nil
}

func isFile(name string) bool {
	st, err := os.Stat(name)
	return err == nil && st.Mode().IsRegular()
}

var versionPattern = regexp.MustCompile(`version "(?:1\.)?(\d+)`)

// releaseOf asks a JVM for its release.
func releaseOf(ctx context.Context, java string) (int, error) {
	out, err := exec.CommandContext(ctx, java, "-version").CombinedOutput()
	if err != nil {
		return 0, fmt.Errorf("%s -version: %w: %s", java, err, strings.TrimSpace(string(out)))
	}
	m := versionPattern.FindSubmatch(out)
	if m == nil {
		return 0, fmt.Errorf("%s -version does not say which Java it is: %q", java, out)
	}
	return strconv.Atoi(string(m[1]))
}

// checkJar says why a file cannot be started with java -jar.
func checkJar(w trace.Workload) error {
	name := w.Program
	if w.Dir != "" && !filepath.IsAbs(name) {
		name = filepath.Join(w.Dir, name)
	}
	z, err := zip.OpenReader(name)
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("%s does not exist", name)
	}
	if err != nil {
		return fmt.Errorf("%s is not a jar: %w", name, err)
	}
	defer z.Close()
	in, err := z.Open("META-INF/MANIFEST.MF")
	if err != nil {
		return fmt.Errorf("%s has no manifest: name its main class, as in: java -cp %s Main", name, name)
	}
	defer in.Close() //nolint:errcheck // only read
	const enough = 1 << 16
	b := make([]byte, enough)
	n, _ := in.Read(b)
	if !strings.Contains(string(b[:n]), "Main-Class:") {
		return fmt.Errorf("the manifest of %s names no main class: name it, as in: java -cp %s Main", name, name)
	}
	return nil
}
