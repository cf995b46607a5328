package diskio

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// tracepoint is how the kernel lays out a kind of event: its number, and the
// fields that we read, as the file events/…/format tells.
type tracepoint struct {
	name   string
	id     uint16
	fields map[string]span
}

// span is where a field lies in an event, bytes.
type span struct{ offset, size int }

// parseFormat reads a format file:
//
//	name: block_rq_issue
//	ID: 2104
//	format:
//		field:dev_t dev;	offset:8;	size:4;	signed:0;
func parseFormat(r io.Reader) (tracepoint, error) {
	t := tracepoint{fields: map[string]span{}}
	s := bufio.NewScanner(r)
	for s.Scan() {
		line := strings.TrimSpace(s.Text())
		switch key, value, _ := strings.Cut(line, ":"); key {
		case "name":
			t.name = strings.TrimSpace(value)
		case "ID":
			id, err := strconv.ParseUint(strings.TrimSpace(value), 10, 16)
			if err != nil {
				return t, fmt.Errorf("format of tracepoint %s: ID %q", t.name, value)
			}
			t.id = uint16(id)
		case "field":
			name, f, err := parseField(value)
			if err != nil {
				return t, fmt.Errorf("format of tracepoint %s: %w", t.name, err)
			}
			t.fields[name] = f
		}
	}
	return t, s.Err()
}

// parseField reads "char rwbs[10];	offset:28;	size:10;	signed:0;".
func parseField(text string) (string, span, error) {
	var f span
	parts := strings.Split(text, ";")
	name := parts[0][strings.LastIndexByte(parts[0], ' ')+1:]
	name, _, _ = strings.Cut(name, "[")
	for _, p := range parts[1:] {
		key, value, _ := strings.Cut(strings.TrimSpace(p), ":")
		n, err := strconv.ParseUint(value, 10, 16) // an event is never larger
		switch {
		case key == "offset" && err == nil:
			f.offset = int(n)
		case key == "size" && err == nil:
			f.size = int(n)
		case key == "offset" || key == "size":
			return name, f, fmt.Errorf("field %q", text)
		}
	}
	return name, f, nil
}

// number reads a whole number of a payload; 0 if there is no such field.
func (t *tracepoint) number(payload []byte, name string) uint64 {
	f, ok := t.fields[name]
	if !ok || f.offset+f.size > len(payload) {
		return 0
	}
	b := payload[f.offset : f.offset+f.size]
	switch f.size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(binary.LittleEndian.Uint16(b))
	case 4:
		return uint64(binary.LittleEndian.Uint32(b))
	case 8:
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// text reads an array of characters up to the first zero; what follows it is
// not initialised.
func (t *tracepoint) text(payload []byte, name string) []byte {
	f := t.fields[name]
	if f.offset+f.size > len(payload) {
		return nil
	}
	b := payload[f.offset : f.offset+f.size]
	if i := bytes.IndexByte(b, 0); i >= 0 {
		b = b[:i]
	}
	return b
}

// thread is the task that was current.
func (t *tracepoint) thread(payload []byte) int64 {
	return int64(int32(t.number(payload, "common_pid")))
}

// blockEvent decodes an event of the block layer.
func (t *tracepoint) blockEvent(time int64, payload []byte, flags *flagWords) event {
	sector := t.number(payload, "sector")
	if sector == 1<<64-1 {
		sector = 0 // a flush has none
	}
	return event{
		action: perfActions[t.name], time: time, thread: t.thread(payload),
		device: t.number(payload, "dev"), sector: sector, bytes: int64(t.number(payload, "nr_sector")) * 512,
		rwbs: flags.word(t.text(payload, "rwbs")),
	}
}

// flagWords keeps one string of each word.
type flagWords struct{ known map[string]string }

func (w *flagWords) word(b []byte) string {
	if s, ok := w.known[string(b)]; ok {
		return s
	}
	if w.known == nil {
		w.known = map[string]string{}
	}
	s := string(b)
	w.known[s] = s
	return s
}
