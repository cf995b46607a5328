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
