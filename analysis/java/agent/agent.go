// Package agent is the part of the Java front end that runs inside the program
// under study: a Java agent without dependencies (source/tierscope). Its source
// is part of this binary; it is compiled when a Java program is analysed for
// the first time, by the JDK that is there, and kept in the user's cache. So
// Tierscope builds where there is no JDK, and no compiled Java is in its
// repository.
//
// The agent does what its options say: it writes down the classes that the
// program loads; it puts rewritten ones in their place; it records what the probes
// in these report, or how often their loops iterate. Agent.java lists the options, Probe.java the
// format of the recording.
package agent

import (
	"archive/zip"
	"bytes"
	"context"
	"crypto/sha256"
	"embed"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

//go:embed source/tierscope/*.java
var source embed.FS

// manifest makes a jar an agent (java.lang.instrument). The JDK's own classes
// call the probes too, so the jar is on the boot class path; name is its own.
const manifest = "Manifest-Version: 1.0\r\nPremain-Class: tierscope.Agent\r\n" +
	"Can-Retransform-Classes: true\r\nBoot-Class-Path: %s\r\n\r\n"

// Class is the class that probes call, as the JVM writes it.
const Class = "tierscope/Probe"

// LoopClass is the class that counters of loops call.
const LoopClass = "tierscope/Loops"

// ModuleClass is the class that delayed methods call.
const ModuleClass = "tierscope/Modules"

// ThreadClass is the class that variables and bodies of threads report to.
const ThreadClass = "tierscope/Threads"

// oldest is the release of Java for which the agent is compiled.
const oldest = "11"

// Jar returns the name of the agent's jar in the folder cache, and compiles it
// with javac if it is not there.
func Jar(ctx context.Context, javac, cache string) (string, error) {
	sources, err := fs.Glob(source, "source/tierscope/*.java")
	if err != nil {
		panic(err)
	}
	sum := sha256.New()
	for _, name := range sources {
		b, err := source.ReadFile(name)
		if err != nil {
			panic(err)
		}
		sum.Write(b)
	}
	base := fmt.Sprintf("agent-%.16x.jar", sum.Sum(nil))
	jar := filepath.Join(cache, base)
	if _, err := os.Stat(jar); err == nil {
		return jar, nil
	}
	if err := os.MkdirAll(cache, 0o755); err != nil {
		return "", fmt.Errorf("agent: %w", err)
	}
	dir, err := os.MkdirTemp(cache, "agent-*")
	if err != nil {
		return "", fmt.Errorf("agent: %w", err)
	}
	defer os.RemoveAll(dir)
	b, err := compile(ctx, javac, dir, sources, base)
	if err != nil {
		return "", err
	}
	part := filepath.Join(dir, base)
	if err := os.WriteFile(part, b, 0o644); err != nil {
		return "", fmt.Errorf("agent: %w", err)
	}
	return jar, os.Rename(part, jar)
}

// compile returns the jar.
func compile(ctx context.Context, javac, dir string, sources []string, base string) ([]byte, error) {
	if err := os.CopyFS(dir, source); err != nil {
		return nil, fmt.Errorf("agent: %w", err)
	}
	classes := filepath.Join(dir, "classes")
	args := []string{"--release", oldest, "-proc:none", "-Xlint:-options", "-d", classes}
	for _, name := range sources {
		args = append(args, filepath.Join(dir, name))
	}
	if out, err := exec.CommandContext(ctx, javac, args...).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("agent: %s cannot compile it for Java %s; a JDK from 11 to 25 is needed: %w\n%s", javac, oldest, err, strings.TrimSpace(string(out)))
	}
	var jar bytes.Buffer
	z := zip.NewWriter(&jar)
	put := func(name string, b []byte) error {
		w, err := z.Create(name)
		if err == nil {
			_, err = w.Write(b)
		}
		return err
	}
	if err := put("META-INF/MANIFEST.MF", fmt.Appendf(nil, manifest, base)); err != nil {
		return nil, err
	}
	compiled, err := filepath.Glob(filepath.Join(classes, "tierscope", "*.class"))
	if err != nil {
		return nil, err
	}
	for _, name := range compiled {
		b, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("agent: %w", err)
		}
		if err := put("tierscope/"+filepath.Base(name), b); err != nil {
			return nil, err
		}
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	return jar.Bytes(), nil
}
