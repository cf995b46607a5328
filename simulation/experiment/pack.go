package experiment

import (
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"tierscope/simulation"
	"tierscope/simulation/output"
)

// split returns what a run has in common with others of its kind, and the metrics of its result without
// numbers, both as JSON. What pack does not write is in one of the two, so that a field that is
// new is never lost.
func split(run Run) (common, metrics string, err error) {
	if run.Result == nil {
		return "", "", errors.New("a run without a result")
	}
	result := *run.Result
	names := slices.Clone(result.Metrics)
	for i := range names {
		e := &names[i].Estimate
		e.Mean, e.Lo, e.Hi, e.N, e.Samples, e.Warnings = 0, 0, 0, 0, nil, nil
	}
	result.Configuration = maps.Clone(result.Configuration)
	for name := range result.Configuration {
		result.Configuration[name] = 0
	}
	result.Fingerprint, result.Halted, result.Warnings = "", "", nil
	result.Replications, result.Duration, result.Warmup, result.Completions, result.Events, result.Elapsed, result.Busy = 0, 0, 0, 0, 0, 0, 0
	result.Metrics, result.Distributions, result.Courses, result.Timeline = nil, nil, nil, nil
	result.Interrupted, result.Unstable = false, false
	run.ID, run.Time, run.Result = "", time.Time{}, &result
	a, err := json.Marshal(run)
	if err != nil {
		return "", "", err
	}
	b, err := json.Marshal(names)
	return string(a), string(b), err
}

// Bits of the first byte of a run.
const (
	interruptedBit = 1 << iota
	unstableBit
	binaryIDBit          // the ID is 16 bytes, not text
	binaryFingerprintBit // it is 8 bytes, not text
)

// pack writes what split leaves out.
func pack(run Run, context, schema int) []byte {
	r := run.Result
	var p packer
	id, err := hex.DecodeString(run.ID)
	isBinary := err == nil && len(id) == len(key{}) && hex.EncodeToString(id) == run.ID
	print, err := hex.DecodeString(r.Fingerprint)
	binaryPrint := err == nil && len(print) == 8 && hex.EncodeToString(print) == r.Fingerprint
	bits := byte(0)
	for _, b := range []struct {
		set bool
		bit byte
	}{{r.Interrupted, interruptedBit}, {r.Unstable, unstableBit}, {isBinary, binaryIDBit}, {binaryPrint, binaryFingerprintBit}} {
		if b.set {
			bits |= b.bit
		}
	}
	p.data = append(p.data, bits)
	if isBinary {
		p.data = append(p.data, id...)
	} else {
		p.text(run.ID)
	}
	p.count(context)
	p.int(run.Time.UnixNano())
	p.int(int64(r.Busy))
	p.count(schema)
	for _, name := range slices.Sorted(maps.Keys(r.Configuration)) {
		p.float(r.Configuration[name])
	}
	if binaryPrint {
		p.data = append(p.data, print...)
	} else {
		p.text(r.Fingerprint)
	}
	p.count(r.Replications)
	p.float(r.Duration)
	p.float(r.Warmup)
	p.int(r.Completions)
	p.int(r.Events)
	p.int(int64(r.Elapsed))
	p.text(r.Halted)
	p.texts(r.Warnings)
	for _, m := range r.Metrics {
		e := m.Estimate
		p.count(e.N)
		p.float(e.Mean)
		p.float(e.Lo)
		p.float(e.Hi)
		p.floats(e.Samples)
		p.texts(e.Warnings)
	}
	p.count(len(r.Distributions))
	for _, d := range r.Distributions {
		p.text(d.Name)
		p.text(d.Of)
		p.text(d.Unit)
		p.int(d.Count)
		var x, share []float64
		for _, point := range d.CDF {
			x, share = append(x, point.X), append(share, point.P)
		}
		p.floats(x)
		p.shares(share, d.Count)
	}
	p.count(len(r.Courses))
	for _, c := range r.Courses {
		p.text(c.Name)
		p.text(c.Of)
		p.text(c.Unit)
		p.float(c.Step)
		p.floats(c.Values)
	}
	return p.data
}

// readHeader reads the beginning of a run; rest is what follows.
func readHeader(data []byte) (h header, rest *unpacker, ok bool) {
	u := &unpacker{data: data}
	bits := u.byte()
	u.bits = bits
	h.interrupted = bits&interruptedBit != 0
	if bits&binaryIDBit != 0 {
		copy(h.key[:], u.bytes(len(h.key)))
		u.id = hex.EncodeToString(h.key[:])
	} else {
		u.id = u.text()
		h.key = keyOf(u.id)
	}
	h.context = u.count()
	h.time = u.int()
	h.busy = time.Duration(u.int())
	return h, u, !u.bad
}

// unpack is the inverse of split and pack. s.mu is held.
func (s *segment) unpack(data []byte) (Run, error) {
	h, u, ok := readHeader(data)
	names := u.count()
	if !ok || u.bad || h.context >= len(s.contexts) || names >= len(s.schemas) || s.contexts[h.context].run.Result == nil {
		return Run{}, errors.New("damaged")
	}
	run := s.contexts[h.context].run
	result := *run.Result
	run.ID, run.Time, run.Result = u.id, time.Unix(0, h.time).UTC(), &result
	result.Interrupted, result.Unstable, result.Busy = h.interrupted, u.bits&unstableBit != 0, h.busy
	if len(result.Configuration) > 0 {
		configuration := make(map[string]float64, len(result.Configuration))
		for _, name := range slices.Sorted(maps.Keys(result.Configuration)) {
			configuration[name] = u.float()
		}
		result.Configuration = configuration
	}
	if u.bits&binaryFingerprintBit != 0 {
		result.Fingerprint = hex.EncodeToString(u.bytes(8))
	} else {
		result.Fingerprint = u.text()
	}
	result.Replications = u.count()
	result.Duration, result.Warmup = u.float(), u.float()
	result.Completions, result.Events, result.Elapsed = u.int(), u.int(), time.Duration(u.int())
	result.Halted, result.Warnings = u.text(), u.texts()
	result.Metrics = slices.Clone(s.schemas[names].metrics)
	for i := range result.Metrics {
		e := &result.Metrics[i].Estimate
		e.N = u.count()
		e.Mean, e.Lo, e.Hi = u.float(), u.float(), u.float()
		e.Samples, e.Warnings = u.floats(), u.texts()
	}
	for range u.count() {
		d := simulation.Distribution{Name: u.text(), Of: u.text(), Unit: u.text(), Count: u.int()}
		x := u.floats()
		share := u.shares(d.Count)
		if u.bad || len(x) != len(share) {
			return Run{}, errors.New("damaged")
		}
		for i := range x {
			d.CDF = append(d.CDF, output.Point{X: x[i], P: share[i]})
		}
		result.Distributions = append(result.Distributions, d)
	}
	for range u.count() {
		c := simulation.Course{Name: u.text(), Of: u.text(), Unit: u.text(), Step: u.float(), Values: u.floats()}
		if u.bad {
			break
		}
		result.Courses = append(result.Courses, c)
	}
	if u.bad || len(u.data) > 0 {
		return Run{}, fmt.Errorf("damaged: %d bytes are left", len(u.data))
	}
	return run, nil
}

// packer appends numbers and texts to data.
type packer struct{ data []byte }

func (p *packer) count(n int)     { p.data = binary.AppendUvarint(p.data, uint64(n)) }
func (p *packer) int(n int64)     { p.data = binary.AppendVarint(p.data, n) }
func (p *packer) text(s string)   { p.count(len(s)); p.data = append(p.data, s...) }
func (p *packer) float(x float64) { p.data = appendFloat(p.data, x) }

func (p *packer) texts(all []string) {
	p.count(len(all))
	for _, s := range all {
		p.text(s)
	}
}
