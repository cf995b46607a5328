package native

import (
	"encoding/binary"
	"testing"

	"tierscope/analysis/native/recorder"
)

// The recording is mapped into the program, which may write anywhere: no bytes break who
// reads it. The fuzzed part is the first page of numbers and one chunk.
func FuzzParseRecording(f *testing.F) {
	le := binary.LittleEndian
	page := make([]byte, 256)
	copy(page, "TIERREC\x00")
	le.PutUint32(page[8:], recorder.Version)
	le.PutUint64(page[16+8:], headSize+chunkSize)
	chunk := make([]byte, 256)
	le.PutUint32(chunk, 7)
	le.PutUint64(chunk[8:], 1)
	f.Add(page, chunk)
	f.Fuzz(func(t *testing.T, page, chunk []byte) {
		b := make([]byte, headSize+chunkSize)
		copy(b, page[:min(len(page), 512)])
		copy(b[headSize:], chunk[:min(len(chunk), chunkSize)])
		r, err := parseRecording(b)
		if err != nil {
			return
		}
		if n := r.records(); n*recordSize > chunkSize {
			t.Fatalf("%d records in one chunk", n)
		}
	})
}
