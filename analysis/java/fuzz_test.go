package java

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// The agent's files are written by the program's own process: one that is killed, or that
// writes into them, must not break the analysis.

func FuzzParseRecording(f *testing.F) {
	le := binary.LittleEndian
	head := le.AppendUint64(nil, fileMark)
	head = append(head, make([]byte, headerSize-len(head))...)
	chunk := le.AppendUint64(nil, chunkMark)
	chunk = le.AppendUint64(chunk, 7)
	chunk = le.AppendUint32(chunk, 3*recordSize)
	chunk = le.AppendUint32(chunk, 4711)
	for _, probe := range []uint64{1, readyProbe} {
		chunk = le.AppendUint64(chunk, 1000<<16|probe)
		chunk = le.AppendUint64(chunk, 500<<20)
		chunk = le.AppendUint64(chunk, 1<<32)
	}
	f.Add(append(head, chunk...))
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := parseRecording(b)
		if err != nil {
			return
		}
		n := len(r.made)
		for _, hits := range r.threads {
			n += len(hits)
		}
		if n*recordSize > len(b) {
			t.Fatalf("%d records in %d bytes", n, len(b))
		}
	})
}

// read puts bytes into a file.
func read[T any](f *testing.F, parse func(name string) (T, error)) {
	dir := f.TempDir()
	f.Fuzz(func(t *testing.T, b []byte) {
		name := filepath.Join(dir, "file")
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		_, _ = parse(name) // an error or a value: no panic, no endless loop
	})
}

func FuzzReadJournal(f *testing.F) {
	f.Add([]byte("ready\t1\t17\t2\tHotSpot\t5\t1\nspawn\t1\t2\t3\t4\tT\tx\tA.b:7:1|C.d:8\ndeadlock\ta\ntrouble\tx\ty\n"))
	read(f, readJournal)
}

func FuzzReadSamples(f *testing.F) {
	f.Add([]byte("main\t1\nthread\t1\tmain\t0\nstack\t1\tA.b:1|C.d:2\nhit\t1\t1\n"))
	read(f, readSamples)
}

func FuzzReadWorld(f *testing.F) {
	entry := binary.BigEndian.AppendUint16(nil, 1)
	entry = append(entry, 'A')
	f.Add(append(binary.BigEndian.AppendUint32(entry, 4), 0xca, 0xfe, 0xba, 0xbe))
	f.Add(append(binary.BigEndian.AppendUint32([]byte{0, 1, 'A'}, 1<<28), 1, 2, 3))
	read(f, readWorld)
}
