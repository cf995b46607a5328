package trace

import (
	"net/url"
	"slices"
	"testing"
)

// A target is a URL, or a path on the server; what looks like a path does not lead to another one.
func TestTargetsAreOnTheServerUnlessTheyNameAnother(t *testing.T) {
	t.Parallel()
	l := Load{URL: "http://127.0.0.1:80/start", Targets: []string{"/a?x=1", "b", "https://other.example/c", "/d?u=http://e.example/"}}
	want := []string{"http://127.0.0.1:80/a?x=1", "http://127.0.0.1:80/b", "https://other.example/c", "http://127.0.0.1:80/d?u=http://e.example/"}
	if got := l.Addresses(); !slices.Equal(got, want) {
		t.Errorf("requests go to %q, want %q", got, want)
	}
	l.Targets = []string{"//evil.example/", "///evil.example/", "/../..//evil.example/", `/\evil.example/`, "@evil.example/", ".evil.example/%zz", ":80@evil.example/"}
	for i, address := range l.Addresses() {
		if u, err := url.Parse(address); err == nil && u.Host != "127.0.0.1:80" {
			t.Errorf("the target %q goes to %s", l.Targets[i], u.Host)
		}
	}
	l.Targets = nil
	if got := l.Addresses(); !slices.Equal(got, []string{l.URL}) {
		t.Errorf("without targets requests go to %q, want the URL", got)
	}
}

// A target may stand for many paths; a number that nobody means is refused, and of a file that has one it is no reason to take
// all the memory.
func TestATargetStandsForManyPaths(t *testing.T) {
	t.Parallel()
	l := Load{URL: "http://h/", Targets: []string{"/page/%d.html:3", "/a", "/b%d", "/c:80", "/%d/%d:2"}}
	want := []string{"http://h/page/0.html", "http://h/page/1.html", "http://h/page/2.html", "http://h/a", "http://h/b%d", "http://h/c:80", "http://h/%d/%d:2"}
	if got := l.Addresses(); !slices.Equal(got, want) {
		t.Errorf("requests go to %q, want %q", got, want)
	}
	for _, bad := range []string{"/%d:0", "/%d:-1", "/%d:many", "/%d:2000000000", "/%d:"} {
		if _, err := ExpandTarget(bad); err == nil {
			t.Errorf("the target %q is taken", bad)
		}
		if n := len((&Load{Targets: []string{bad}}).Paths()); n != 1 {
			t.Errorf("the target %q of a file stands for %d paths, want itself", bad, n)
		}
	}
}
