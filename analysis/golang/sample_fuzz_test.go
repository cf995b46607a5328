package golang

import (
	"bytes"
	"runtime/trace"
	"testing"
)

// An execution trace of a program that was killed, or that writes into the file, is an
// error or what it says.
func FuzzReadSamples(f *testing.F) {
	var b bytes.Buffer
	if err := trace.Start(&b); err != nil {
		f.Skip("cannot be judged here: this process is traced already")
	}
	trace.Stop()
	f.Add(b.Bytes())
	f.Add(b.Bytes()[:b.Len()/2])
	f.Fuzz(func(_ *testing.T, text []byte) {
		_, _ = readSamples(bytes.NewReader(text), "")
	})
}
