package goroot_test

import (
	"archive/zip"
	"os"
	"path/filepath"
	"testing"

	"tierscope/analysis/golang/goroot"
)

// A proxy need not know which versions there are to have the one that is asked for.
func TestAPackageIsFetchedInTheVersionThatIsNamed(t *testing.T) {
	t.Parallel()
	const module, version = "example.com/hello", "v1.2.3"
	proxy, modules := t.TempDir(), t.TempDir()
	versions := filepath.Join(proxy, module, "@v")
	if err := os.MkdirAll(versions, 0o755); err != nil {
		t.Fatal(err)
	}
	const mod = "module " + module + "\n"
	for name, text := range map[string]string{".info": `{"Version":"` + version + `"}`, ".mod": mod} {
		if err := os.WriteFile(filepath.Join(versions, version+name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	archive, err := os.Create(filepath.Join(versions, version+".zip"))
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(archive)
	for name, text := range map[string]string{"go.mod": mod, "cmd/hi/main.go": "package main\n\nfunc main() { println(\"hi\") }\n"} {
		w, err := z.Create(module + "@" + version + "/" + name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}

	env := append(os.Environ(), "GOPROXY=file://"+proxy, "GONOSUMDB=*", "GOMODCACHE="+modules, "GOFLAGS=-modcacherw")
	cache := t.TempDir()
	var here goroot.Installation
	path, dir, err := here.Fetch(t.Context(), module+"/cmd/hi@"+version, env, cache)
	if err != nil {
		t.Fatal(err)
	}
	if path != module+"/cmd/hi" {
		t.Errorf("the package is %s, want %s/cmd/hi", path, module)
	}
	if _, err := here.Run(t.Context(), dir, env, "build", "-o", os.DevNull, path); err != nil {
		t.Errorf("it does not build in its folder: %v", err)
	}
	if _, again, err := here.Fetch(t.Context(), module+"/cmd/hi@"+version, append(env, "GOPROXY=off"), cache); err != nil || again != dir {
		t.Errorf("the second time: folder %s, error %v; want the same folder", again, err)
	}
	if _, _, err := here.Fetch(t.Context(), module+"/cmd/hi@v9.9.9", env, cache); err == nil {
		t.Error("a version that does not exist is fetched")
	}
}
