package classfile_test

import (
	"archive/zip"
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"tierscope/analysis/java/classfile"
)

// javaBase is the archive with the classes of module java.base. The test is
// skipped where there is no JDK.
func javaBase(t testing.TB) string {
	t.Helper()
	javac, err := exec.LookPath("javac")
	if err != nil {
		t.Skip("no JDK on this machine (javac is not in PATH): the classes of java.base cannot be read")
	}
	if javac, err = filepath.EvalSymlinks(javac); err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(filepath.Dir(filepath.Dir(javac)), "jmods", "java.base.jmod")
	if _, err := os.Stat(name); err != nil {
		t.Skip("this JDK has no jmods: ", err)
	}
	return name
}

// eachClass calls f with every class of a jar or jmod.
func eachClass(t testing.TB, archive string, f func(name string, b []byte)) {
	t.Helper()
	z, err := zip.OpenReader(archive)
	if err != nil {
		t.Fatal(err)
	}
	defer z.Close()
	for _, e := range z.File {
		if !strings.HasSuffix(e.Name, ".class") {
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
		f(e.Name, b)
	}
}

// rewrite reads a class, takes every body apart, and puts all together again.
func rewrite(b []byte) ([]byte, error) {
	f, err := classfile.Parse(b)
	if err != nil {
		return nil, err
	}
	for i := range f.Methods {
		m := &f.Methods[i]
		c, err := f.Code(m)
		if err != nil {
			return nil, err
		}
		if c == nil {
			continue
		}
		body, err := c.Relocate()
		if err != nil {
			return nil, err
		}
		f.SetCode(m, body)
	}
	return f.Bytes(), nil
}

// share is the part of java.base that is rewritten, one class in so many; all
// with TIERSCOPE_ALL=1, which takes 3 s, and half a minute under the race detector.
const share = 10

// What is not edited is written byte for byte as it was read: java.base, and
// the jars that TIERSCOPE_JARS names (separated by colons).
func TestUneditedClassesAreWrittenAsTheyWereRead(t *testing.T) {
	t.Parallel()
	archives := []string{javaBase(t)}
	if jars := os.Getenv("TIERSCOPE_JARS"); jars != "" {
		archives = append(archives, strings.Split(jars, ":")...)
	}
	for _, archive := range archives {
		seen, n := 0, 0
		eachClass(t, archive, func(name string, b []byte) {
			if seen++; archive == archives[0] && os.Getenv("TIERSCOPE_ALL") == "" && seen%share != 0 {
				return
			}
			n++
			again, err := rewrite(b)
			if err != nil {
				t.Errorf("%s: %s: %v", archive, name, err)
			} else if !bytes.Equal(b, again) {
				t.Errorf("%s: %s: %d bytes became %d others", archive, name, len(b), len(again))
			}
		})
		if n == 0 {
			t.Errorf("%s has no classes", archive)
		}
		t.Logf("%s: %d classes", archive, n)
	}
}
