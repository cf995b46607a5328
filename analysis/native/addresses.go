package native

import (
	"fmt"
	"strings"

	"tierscope/analysis/trace"
)

// addresses names addresses of a run.
type addresses struct {
	maps    []mapping
	images  map[string]*image
	known   map[uint64][]trace.Frame
	short   map[string]bool // functions of few instructions
	library map[string]bool // functions in libraries of the language
}

func newAddresses(maps []mapping) *addresses {
	return &addresses{maps: maps, images: map[string]*image{}, known: map[uint64][]trace.Frame{}, short: map[string]bool{}, library: map[string]bool{}}
}

// place is where an address lies in a file.
type place struct {
	image *image
	at    uint64
}

// recorderName begins the name of the recorder's library.
const recorderName = "tierscope-recorder"

// in reports whether the place is in a library whose file's name begins so.
func (p place) in(library string) bool { return strings.HasPrefix(baseName(p.image.name), library) }

// place finds the file of an address.
func (a *addresses) place(ip uint64) (place, bool) {
	for _, m := range a.maps {
		if ip < m.from || ip >= m.to {
			continue
		}
		im := a.images[m.file]
		if im == nil {
			im = openImage(m.file)
			a.images[m.file] = im
		}
		return place{im, im.address(ip - m.from + m.offset)}, true
	}
	return place{}, false
}

// shortCode is how long the code of a wrapper is at most, in bytes: of a function that checks, locks
// and reports an error. Convention, sensitivity slight.
const shortCode = 256

// frames are the calls at an address, innermost first. A return address lies after its call.
func (a *addresses) frames(ip uint64, returns bool) []trace.Frame {
	if fs, ok := a.known[ip]; ok {
		return fs
	}
	back := uint64(0)
	if returns {
		back = 1
	}
	fs := []trace.Frame{{Function: fmt.Sprintf("%#x", ip), Line: int(ip & 0xffffff)}}
	if p, ok := a.place(ip - back); ok {
		fs = p.image.frames(p.at, p.at+back)
		if fn := functionAt(p.image.functions, p.at); fn != nil && fn.to-fn.from < shortCode {
			a.short[fs[len(fs)-1].Function] = true
		}
		if p.image.library {
			a.library[fs[0].Function] = true
		}
	}
	a.known[ip] = fs
	return fs
}

// function is the name of the function that begins at an address, with whether it is the language's.
func (a *addresses) function(ip uint64) trace.Frame {
	fs := a.frames(ip, false)
	return fs[len(fs)-1]
}

// outside are the functions in which the C library, and the recorder, begin threads.
var outside = map[string]bool{"start_thread": true, "__libc_start_call_main": true, "__libc_start_main": true, "__libc_start_main_impl": true,
	"clone": true, "clone3": true, "__clone": true, "_start": true}

// site is a calling context: its calls, and whether they reach to where the thread began. What the C library does before
// the program's first function is not in it; without its debugging symbols, which few machines have, that has no names.
func (a *addresses) site(ips []uint64, sample bool) (s trace.Site, whole bool) {
	own, called := 0, false // frames up to the outermost one that is not the C library's; by OpenMP's library
	for i, ip := range ips {
		fs := a.frames(ip, i > 0 || !sample)
		if outside[fs[0].Function] {
			whole = true
			break
		}
		p, ok := a.place(ip - 1)
		if ok && p.in(recorderName) {
			continue // stands between the program and a library that calls it back
		}
		if team := ok && p.in("libgomp."); team && called {
			return s, false // all of a team do the same, also who called for it
		} else if !team {
			called = true
		}
		s.Frames = append(s.Frames, fs...)
		if !ok || !p.image.starts {
			own = len(s.Frames)
		}
	}
	if own > 0 && own < len(s.Frames) {
		s.Frames, whole = s.Frames[:own], true
	}
	return s, whole
}

// inRecorder reports whether a return address lies in the recorder.
func (a *addresses) inRecorder(ip uint64) bool {
	p, ok := a.place(ip - 1)
	return ok && p.in(recorderName)
}

func baseName(path string) string { return path[strings.LastIndexByte(path, '/')+1:] }
