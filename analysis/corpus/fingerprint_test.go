package corpus

import "testing"

func TestTheFirstDifferenceIsNamedByItsPath(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ want, got, says string }{
		{`{"a":[1,2]}`, `{"a":[1,2]}`, ""},
		{`{"a":[1,2],"b":1}`, `{"a":[1,3],"b":2}`, "/a/1: 3, want 2"},
		{`{"a":{"c":1}}`, `{"a":{}}`, "/a/c: null, want 1"},
		{`{"a":{}}`, `{"a":{"c":[1]}}`, "/a/c: [1], want null"},
		{`{"a":[1]}`, `{"a":[1,2]}`, "/a: 2 elements, want 1"},
		{`{"a":[1]}`, `{"a":"x"}`, `/a: "x", want [1]`},
		{`{"a":1}`, `{"a":{"b":1}}`, `/a: {"b":1}, want 1`},
	} {
		same := []byte(`{}`)
		want, got := Fingerprint{model: []byte(c.want), trust: same}, Fingerprint{model: []byte(c.got), trust: same}
		says := c.says
		if says != "" {
			says = modelPlace + says
		}
		if d := got.Difference(want); d != says {
			t.Errorf("%s instead of %s: %q, want %q", c.got, c.want, d, says)
		}
	}
}
