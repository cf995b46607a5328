package diskio

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"
)

// The words of a page as linux/ring_buffer.h describes them: a record of 8 bytes
// 5 ns after the page's stamp, a long time of 2·2²⁷ + 3 ns, a record whose length
// is in a word of its own, padding.
func TestAPageOfTheKernelsRingBufferIsDecoded(t *testing.T) {
	t.Parallel()
	layout := ringPage{size: 128, data: 16}
	page := make([]byte, layout.size)
	binary.LittleEndian.PutUint64(page, 1000)
	at := layout.data
	for _, w := range []uint32{
		2 | 5<<5, 0x11111111, 0x22222222,
		ringExtend | 3<<5, 2,
		ringLong | 7<<5, 8, 0x33333333, // the length counts its own word
		ringPadding,
	} {
		binary.LittleEndian.PutUint32(page[at:], w)
		at += 4
	}
	binary.LittleEndian.PutUint32(page[8:], uint32(at-layout.data)|missedEvents)
	var times []int64
	var words []uint32
	missed, err := layout.records(page, func(now int64, payload []byte) {
		times = append(times, now)
		for ; len(payload) >= 4; payload = payload[4:] {
			words = append(words, binary.LittleEndian.Uint32(payload))
		}
	})
	if err != nil || !missed {
		t.Errorf("missed %t, error %v; want events missed and no error", missed, err)
	}
	if want := []int64{1005, 1005 + 2<<27 + 3 + 7}; !slices.Equal(times, want) {
		t.Errorf("times %d, want %d", times, want)
	}
	if want := []uint32{0x11111111, 0x22222222, 0x33333333}; !slices.Equal(words, want) {
		t.Errorf("payload %#x, want %#x", words, want)
	}
}

// A format file as the kernel prints it (6.18), and an event laid out by it: what
// follows the zero of a text is not initialised.
func TestAnEventIsReadByItsFormat(t *testing.T) {
	t.Parallel()
	p, err := parseFormat(strings.NewReader(`name: block_rq_complete
ID: 2107
format:
	field:unsigned short common_type;	offset:0;	size:2;	signed:0;
	field:int common_pid;	offset:4;	size:4;	signed:1;

	field:dev_t dev;	offset:8;	size:4;	signed:0;
	field:sector_t sector;	offset:16;	size:8;	signed:0;
	field:unsigned int nr_sector;	offset:24;	size:4;	signed:0;
	field:char rwbs[10];	offset:34;	size:10;	signed:0;

print fmt: "%d,%d", ((unsigned int) ((REC->dev) >> 20))
`))
	if err != nil || p.id != 2107 {
		t.Fatalf("number %d, error %v", p.id, err)
	}
	payload := make([]byte, 48)
	for offset, v := range map[int]uint64{4: 4711, 8: 254 << 20, 16: 123456, 24: 8} {
		binary.LittleEndian.PutUint32(payload[offset:], uint32(v))
	}
	copy(payload[34:], "RM\x00garbage")
	var flags flagWords
	want := event{action: completed, time: 99, device: 254 << 20, sector: 123456, bytes: 4096, rwbs: "RM", thread: 4711}
	if got := p.blockEvent(99, payload, &flags); got != want {
		t.Errorf("event %+v, want %+v", got, want)
	}
}

// Whatever the bytes of a page are, decoding it ends without a panic.
func FuzzRingPage(f *testing.F) {
	f.Add(make([]byte, 128))
	f.Add(append(make([]byte, 8), 0xff, 0xff, 0, 0, 0, 0, 0, 0, 30, 0, 0, 0))
	f.Fuzz(func(_ *testing.T, page []byte) {
		_, _ = (ringPage{size: len(page), data: 16}).records(page, func(int64, []byte) {})
	})
}

// Whatever a format file holds, reading it ends without a panic, and so does
// decoding an event by it.
func FuzzFormat(f *testing.F) {
	f.Add("name: block_rq_issue\nID: 2104\nformat:\n\tfield:dev_t dev;\toffset:8;\tsize:4;\tsigned:0;\n\tfield:char rwbs[10];\toffset:34;\tsize:10;\tsigned:0;\n", make([]byte, 64))
	f.Add("field:int common_pid;\toffset:-4;\tsize:4;", []byte("short"))
	f.Fuzz(func(_ *testing.T, format string, payload []byte) {
		p, err := parseFormat(strings.NewReader(format))
		if err == nil {
			p.blockEvent(1, payload, &flagWords{})
		}
	})
}
