package resource

import "slices"

// plainGoRW transcribes Go's sync/rwmutex.go.
type plainGoRW struct {
	j           *journal
	w           plainGoMutex
	readerCount int
	readerWait  int
	readerSem   []Thread
	writerSem   []Thread
	inside      bool // a writer
}

const rwmutexMaxReaders = 1 << 30

func (p *plainGoRW) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case EnterRead:
		if p.readerCount++; p.readerCount <= 0 {
			p.readerSem = append(p.readerSem, t)
			return Blocked
		}
	case ExitRead:
		if p.readerCount == 0 || p.readerCount < 0 && p.readerWait == 0 {
			return NotHeld
		}
		if p.readerCount--; p.readerCount < 0 {
			if p.readerWait--; p.readerWait == 0 {
				p.inside = true
				p.j.grant(p.writerSem[0])
				p.writerSem = nil
			}
		}
	case Enter:
		return p.lock(t, p.w.Call(t, Enter, 1))
	default:
		if !p.inside {
			return NotHeld
		}
		p.inside = false
		p.readerCount += rwmutexMaxReaders
		for range p.readerCount {
			p.j.grant(p.readerSem[0])
			p.readerSem = p.readerSem[1:]
		}
		p.w.Call(t, Exit, 1)
	}
	return Granted
}

// lock continues Lock behind rw.w.Lock.
func (p *plainGoRW) lock(t Thread, o Outcome) Outcome {
	if o != Granted {
		return o
	}
	r := p.readerCount
	p.readerCount -= rwmutexMaxReaders
	if p.readerWait += r; p.readerWait != 0 {
		p.writerSem = append(p.writerSem, t)
		return Blocked
	}
	p.inside = true
	return Granted
}

func (p *plainGoRW) Try(t Thread, op Op, n int32) Outcome {
	switch {
	case op == EnterRead && p.readerCount < 0:
		return Failed
	case op == Enter:
		if p.readerCount != 0 || p.w.Try(t, Enter, 1) == Failed {
			return Failed
		}
		return p.lock(t, Granted)
	}
	return p.Call(t, op, n)
}

func (p *plainGoRW) Retry(t Thread) Outcome { return p.lock(t, p.w.Retry(t)) }
func (p *plainGoRW) Cancel(Thread) Outcome  { panic("sync.RWMutex has no timeout") }

// plainRW is a read-write lock as a set of holds and one line of requests,
// scanned as a whole after every step.
type plainRW struct {
	j       *journal
	rule    rwRule
	writers []Thread // holds: the same thread again when it is reentrant
	readers []Thread
	line    []request
	awake   Thread
}

type request struct {
	t    Thread
	read bool
}

type rwRule uint8

const (
	rwFair rwRule = iota
	rwBarging
	rwReadFirst
)

// compatible reports whether t could be let in beside the holders.
func (p *plainRW) compatible(read bool) bool {
	return len(p.writers) == 0 && (read || len(p.readers) == 0)
}

// again reports whether t holds what lets it in again.
func (p *plainRW) again(t Thread, read bool) bool {
	if p.rule == rwReadFirst {
		return false
	}
	return slices.Contains(p.writers, t) || read && len(p.writers) == 0 && slices.Contains(p.readers, t)
}

func (p *plainRW) admit(r request) {
	if r.read {
		p.readers = append(p.readers, r.t)
	} else {
		p.writers = append(p.writers, r.t)
	}
}

func (p *plainRW) Call(t Thread, op Op, n int32) Outcome {
	switch op {
	case Enter, EnterRead:
		r := request{t, op == EnterRead}
		mayPass := len(p.line) == 0 || p.rule == rwReadFirst && r.read ||
			p.rule == rwBarging && (!r.read || p.line[0].read)
		if p.again(t, r.read) || mayPass && p.compatible(r.read) {
			p.admit(r)
			return Granted
		}
		p.line = append(p.line, r)
		return Blocked
	}
	holds := &p.writers
	if op == ExitRead {
		holds = &p.readers
	}
	var mine bool
	if *holds, mine = drop(*holds, t); !mine {
		return NotHeld
	}
	if op == Exit && len(p.writers) == 0 || op == ExitRead && len(p.readers) == 0 && len(p.writers) == 0 {
		p.freed()
	} else if p.rule == rwFair {
		p.freed()
	}
	return Granted
}

// freed lets in, or wakes, who can go on.
func (p *plainRW) freed() {
	if p.rule == rwBarging {
		if len(p.line) > 0 && p.awake != p.line[0].t {
			p.awake = p.line[0].t
			p.j.wake(p.awake)
		}
		return
	}
	if p.rule == rwReadFirst { // readers first, each in order of arrival
		slices.SortStableFunc(p.line, func(a, b request) int {
			switch {
			case a.read == b.read:
				return 0
			case a.read:
				return -1
			}
			return 1
		})
	}
	for len(p.line) > 0 && p.compatible(p.line[0].read) {
		p.admit(p.line[0])
		p.j.grant(p.line[0].t)
		p.line = p.line[1:]
	}
}

func (p *plainRW) Try(t Thread, op Op, n int32) Outcome {
	if op != Enter && op != EnterRead {
		return p.Call(t, op, n)
	}
	r := request{t, op == EnterRead}
	if !p.compatible(r.read) && !p.again(t, r.read) {
		return Failed
	}
	p.admit(r)
	return Granted
}

func (p *plainRW) Retry(t Thread) Outcome {
	p.awake = NoThread
	r := p.line[0]
	if !p.compatible(r.read) {
		return Blocked
	}
	p.admit(r)
	p.line = p.line[1:]
	if r.read && len(p.line) > 0 && p.line[0].read {
		p.freed()
	}
	return Granted
}

func (p *plainRW) Cancel(t Thread) Outcome {
	first := p.line[0].t == t
	p.line = slices.DeleteFunc(p.line, func(r request) bool { return r.t == t })
	if p.awake == t {
		p.awake = NoThread
	}
	if p.rule == rwFair || p.rule == rwBarging && first && len(p.line) > 0 && p.compatible(p.line[0].read) {
		p.freed()
	}
	return Failed
}
