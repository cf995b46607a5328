package diskio

import (
	"fmt"

	"github.com/cilium/ebpf/btf"
)

// kernelLayout is where the running kernel keeps what the programs of EBPF
// read, bytes, and what its flags of requests mean: both differ between kernels.
type kernelLayout struct {
	sector, length, flags, queue   int16 // of struct request
	disk                           int16 // of struct request_queue
	major, minor                   int16 // of struct gendisk
	bioSector, bioLength, bioFlags int16 // of struct bio
	bioDevice, number              int16 // of struct bio, of struct block_device
	thread                         int16 // of struct task_struct: its number
	operations                     uint32
	sync, meta, fua, flush, ahead  uint32
}

// layoutOf reads the kernel's description of its own types.
func layoutOf(types *btf.Spec) (kernelLayout, error) {
	var l kernelLayout
	for _, f := range []struct {
		at   *int16
		of   string
		path []string
	}{
		{&l.sector, "request", []string{"__sector"}},
		{&l.length, "request", []string{"__data_len"}},
		{&l.flags, "request", []string{"cmd_flags"}},
		{&l.queue, "request", []string{"q"}},
		{&l.disk, "request_queue", []string{"disk"}}, // since Linux 5.17
		{&l.major, "gendisk", []string{"major"}},
		{&l.minor, "gendisk", []string{"first_minor"}},
		{&l.bioSector, "bio", []string{"bi_iter", "bi_sector"}},
		{&l.bioLength, "bio", []string{"bi_iter", "bi_size"}},
		{&l.bioFlags, "bio", []string{"bi_opf"}},
		{&l.bioDevice, "bio", []string{"bi_bdev"}},
		{&l.number, "block_device", []string{"bd_dev"}},
		{&l.thread, "task_struct", []string{"pid"}},
	} {
		var s *btf.Struct
		if err := types.TypeByName(f.of, &s); err != nil {
			return l, fmt.Errorf("ebpf: struct %s: %w", f.of, err)
		}
		at, err := offset(s, f.path)
		if err != nil {
			return l, fmt.Errorf("ebpf: struct %s: %w", f.of, err)
		}
		*f.at = int16(at)
	}
	var bits *btf.Enum
	if err := types.TypeByName("req_flag_bits", &bits); err != nil {
		return l, fmt.Errorf("ebpf: flags of requests: %w", err)
	}
	named := map[string]*uint32{"__REQ_SYNC": &l.sync, "__REQ_META": &l.meta, "__REQ_FUA": &l.fua, "__REQ_PREFLUSH": &l.flush, "__REQ_RAHEAD": &l.ahead}
	for _, v := range bits.Values {
		if bit := named[v.Name]; bit != nil {
			*bit = 1 << v.Value
		}
	}
	for name, bit := range named {
		if *bit == 0 {
			return l, fmt.Errorf("ebpf: the kernel has no flag %s", name)
		}
	}
	l.operations = 0xff // REQ_OP_MASK, linux/blk_types.h
	return l, nil
}

// offset finds a member, if need be in members without a name, bytes.
func offset(t btf.Type, path []string) (uint32, error) {
	if len(path) == 0 {
		return 0, nil
	}
	var members []btf.Member
	switch s := btf.UnderlyingType(t).(type) {
	case *btf.Struct:
		members = s.Members
	case *btf.Union:
		members = s.Members
	}
	for _, m := range members {
		switch m.Name {
		case path[0]:
			rest, err := offset(m.Type, path[1:])
			return m.Offset.Bytes() + rest, err
		case "":
			if inside, err := offset(m.Type, path); err == nil {
				return m.Offset.Bytes() + inside, nil
			}
		}
	}
	return 0, fmt.Errorf("it has no member %q", path[0])
}

// rwbs writes flags of a request as the kernel's own events do
// (blk_fill_rwbs).
func (l *kernelLayout) rwbs(flags uint32) string {
	const read, write, flush, discard = 0, 1, 2, 3 // enum req_op
	var b []byte
	add := func(c byte, wanted bool) {
		if wanted {
			b = append(b, c)
		}
	}
	add('F', flags&l.flush != 0)
	switch flags & l.operations {
	case read:
		b = append(b, 'R')
	case write:
		b = append(b, 'W')
	case flush:
		b = append(b, 'F')
	case discard:
		b = append(b, 'D')
	default:
		b = append(b, 'N')
	}
	add('F', flags&l.fua != 0)
	add('A', flags&l.ahead != 0)
	add('S', flags&l.sync != 0)
	add('M', flags&l.meta != 0)
	return string(b)
}
