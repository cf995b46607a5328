package experiment

import (
	"encoding/binary"
	"math"
	"math/bits"
)

// Forms of a list of floating-point numbers: whichever is shortest.
const (
	plain    = 0 // 8 bytes each
	reversed = 1 // the bits from the last to the first, as a number of variable length: short for round numbers
	equal    = 2 // one number for all
)

func appendFloat(to []byte, x float64) []byte {
	return binary.LittleEndian.AppendUint64(to, math.Float64bits(x))
}

// floats writes numbers, exactly.
func (p *packer) floats(all []float64) {
	p.count(len(all))
	if len(all) == 0 {
		return
	}
	short, same := []byte(nil), true
	for _, x := range all {
		short = binary.AppendUvarint(short, bits.Reverse64(math.Float64bits(x)))
		same = same && math.Float64bits(x) == math.Float64bits(all[0])
	}
	switch {
	case same:
		p.data = appendFloat(append(p.data, equal), all[0])
	case len(short) < 8*len(all):
		p.data = append(append(p.data, reversed), short...)
	default:
		p.data = append(p.data, plain)
		for _, x := range all {
			p.data = appendFloat(p.data, x)
		}
	}
}

// shares writes numbers that are whole multiples of 1/n in ascending order, as the shares of a
// cumulative distribution are; others as floats.
func (p *packer) shares(all []float64, n int64) {
	before := int64(0)
	var steps []byte
	for _, x := range all {
		k := int64(math.Round(x * float64(n)))
		if k < before || float64(k)/float64(n) != x {
			p.data = append(p.data, 0)
			p.floats(all)
			return
		}
		steps = binary.AppendUvarint(steps, uint64(k-before))
		before = k
	}
	p.data = append(p.data, 1)
	p.count(len(all))
	p.data = append(p.data, steps...)
}

// unpacker reads what a packer wrote. Once something is not as it should be, bad is set and all else is zero.
type unpacker struct {
	data []byte
	bad  bool
	bits byte
	id   string
}

func (u *unpacker) fail() { u.bad, u.data = true, nil }

func (u *unpacker) bytes(n int) []byte {
	if n < 0 || n > len(u.data) {
		u.fail()
		return make([]byte, min(max(n, 0), 16))
	}
	b := u.data[:n]
	u.data = u.data[n:]
	return b
}

func (u *unpacker) byte() byte { return u.bytes(1)[0] }

// count reads a number of things of which each takes a byte at least, or an index.
func (u *unpacker) count() int {
	n, length := binary.Uvarint(u.data)
	if length <= 0 || n > math.MaxInt32 {
		u.fail()
		return 0
	}
	u.data = u.data[length:]
	return int(n)
}

func (u *unpacker) int() int64 {
	n, length := binary.Varint(u.data)
	if length <= 0 {
		u.fail()
		return 0
	}
	u.data = u.data[length:]
	return n
}

func (u *unpacker) text() string { return string(u.bytes(u.count())) }

func (u *unpacker) texts() []string {
	var all []string
	for range u.count() {
		if u.bad {
			return nil
		}
		all = append(all, u.text())
	}
	return all
}

func (u *unpacker) float() float64 {
	return math.Float64frombits(binary.LittleEndian.Uint64(u.bytes(8)))
}

func (u *unpacker) floats() []float64 {
	n := u.count()
	if n == 0 || u.bad {
		return nil
	}
	form := u.byte()
	if form == equal && n > mostEqual || form != equal && n > len(u.data) {
		u.fail()
		return nil
	}
	all := make([]float64, n)
	switch form {
	case equal:
		x := u.float()
		for i := range all {
			all[i] = x
		}
	case reversed:
		for i := range all {
			v, length := binary.Uvarint(u.data)
			if length <= 0 {
				u.fail()
				return nil
			}
			u.data = u.data[length:]
			all[i] = math.Float64frombits(bits.Reverse64(v))
		}
	default:
		for i := range all {
			all[i] = u.float()
		}
	}
	return all
}

// mostEqual bounds how many equal numbers a damaged file can ask for.
const mostEqual = 1 << 20

func (u *unpacker) shares(n int64) []float64 {
	if u.byte() == 0 {
		return u.floats()
	}
	length := u.count()
	if length > len(u.data) {
		u.fail()
		return nil
	}
	all := make([]float64, length)
	seen := int64(0)
	for i := range all {
		step, size := binary.Uvarint(u.data)
		if size <= 0 {
			u.fail()
			return nil
		}
		u.data = u.data[size:]
		seen += int64(step)
		all[i] = float64(seen) / float64(n)
	}
	return all
}
