package native

import (
	"encoding/binary"
	"testing"

	"tierscope/analysis/native/recorder"
	"tierscope/analysis/trace"
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

// Regions, their teams and what these share out come in any order where a program wrote into its recording: decoding ends all the same,
// with threads whose times do not go back.
func FuzzTeams(f *testing.F) {
	ops := []trace.Op{trace.OpThreadBegin, trace.OpSpawn, recorder.Region, recorder.Team, recorder.Meet, recorder.Piece, recorder.Single, recorder.Task, recorder.TaskWait, recorder.Tasks, trace.OpThreadEnd, trace.OpLock, trace.OpUnlock}
	f.Add([]byte{2, 0, 0, 0, 3, 0, 1, 6, 0, 7, 0, 1, 8, 1, 1, 10, 0, 0, 9, 1, 0, 7, 1, 1, 6, 1, 1})
	f.Fuzz(func(t *testing.T, b []byte) {
		r := &recording{main: 1, contexts: [][]uint64{nil, {1}, {2, 1}, {}}, threads: map[int64]*recorded{}}
		now := int64(0)
		for ; len(b) >= 3; b = b[3:] {
			id := int64(b[0]%3) + 1
			if r.threads[id] == nil {
				r.threads[id] = &recorded{}
			}
			now += int64(b[0] >> 4)
			r.threads[id].hits = append(r.threads[id].hits, hit{
				time: now, cpu: now, object: uint64(b[2] >> 4), arg: int64(b[2]%5) - 1, context: uint32(b[1] >> 6),
				op: ops[int(b[1]&15)%len(ops)], end: b[1]&32 != 0, both: b[1]&16 != 0,
			})
		}
		if r.threads[1] == nil {
			return
		}
		for _, th := range r.decode(newAddresses(nil), true).Threads {
			for i := 1; i < len(th.Records); i++ {
				if th.Records[i].Time < th.Records[i-1].Time {
					t.Fatalf("thread %d: record %d at %d, after one at %d", th.ID, i, th.Records[i].Time, th.Records[i-1].Time)
				}
			}
		}
	})
}
