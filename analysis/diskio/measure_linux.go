package diskio

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"sync"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"tierscope/project/scratch"
)

// mostFiles is the number of files that are kept open.
const mostFiles = 256

// alignment of offsets, sizes and buffers for O_DIRECT on all usual devices.
const alignment = 4096

// fileSet is open files to read from.
type fileSet struct {
	files    []*os.File
	ends     []int64 // sizes in blocks of alignment, summed up
	direct   bool
	realTime bool // of the threads that read
	created  string
	warnings []string
}

// openFiles opens the largest part of what is below dir, or a file made there.
func openFiles(ctx context.Context, dir string, create int64) (*fileSet, error) {
	s := &fileSet{direct: true}
	if create > 0 {
		if err := s.create(ctx, dir, create); err != nil {
			s.close()
			return nil, err
		}
	} else {
		err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case err != nil:
				return nil // what cannot be read is not read
			case d.Type().IsRegular() && len(s.files) < mostFiles:
				s.add(path)
			}
			return nil
		})
		if err != nil {
			s.close()
			return nil, err
		}
	}
	if total := s.blocks() * alignment; total < leastMeasured {
		s.close()
		return nil, fmt.Errorf("%d MiB of files to read, at least %d MiB are needed: name a directory with more, or let a file be written (--create 1GiB)",
			total>>20, leastMeasured>>20)
	}
	return s, nil
}

func (s *fileSet) blocks() int64 {
	if len(s.ends) == 0 {
		return 0
	}
	return s.ends[len(s.ends)-1]
}

// add opens a file, unless it is small, has holes, or cannot be opened.
func (s *fileSet) add(path string) {
	const least = 256 << 10
	var info unix.Stat_t
	if unix.Stat(path, &info) != nil || info.Size < least || info.Blocks*512 < info.Size {
		return
	}
	flags := os.O_RDONLY
	if s.direct {
		flags |= unix.O_DIRECT
	}
	f, err := os.OpenFile(path, flags, 0)
	if errors.Is(err, unix.EINVAL) && s.direct {
		s.direct = false
		s.warnings = append(s.warnings, "the file system does not read past the page cache (O_DIRECT): times may be those of the cache")
		f, err = os.OpenFile(path, os.O_RDONLY, 0)
	}
	if err != nil {
		return
	}
	s.files = append(s.files, f)
	s.ends = append(s.ends, s.blocks()+info.Size/alignment)
}

// create writes a file of random bytes, which no device can compress or
// deduplicate.
func (s *fileSet) create(ctx context.Context, dir string, size int64) error {
	f, err := os.CreateTemp(dir, scratch.Name(dir, "tierscope-measure-"))
	if err != nil {
		return err
	}
	defer f.Close()
	s.created = f.Name()
	block := make([]byte, 1<<20)
	source := rand.NewChaCha8([32]byte{1})
	for written := int64(0); written < size; written += int64(len(block)) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		_, _ = source.Read(block) // it never fails
		if _, err := f.Write(block); err != nil {
			return err
		}
	}
	if err := f.Sync(); err != nil {
		return err
	}
	s.add(s.created)
	return nil
}

// warm reads everything once, in large pieces, so that what keeps blocks in memory below
// the disk, such as the host of a virtual machine, has them all.
func (s *fileSet) warm(ctx context.Context) error {
	buffer := aligned(1 << 20)
	for _, f := range s.files {
		for offset := int64(0); ; offset += int64(len(buffer)) {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			n, err := unix.Pread(int(f.Fd()), buffer, offset)
			if err != nil {
				return fmt.Errorf("%s: %w", f.Name(), err)
			}
			if n < len(buffer) {
				break
			}
		}
	}
	return nil
}

func (s *fileSet) close() {
	for _, f := range s.files {
		_ = f.Close() // only read from
	}
	if s.created != "" {
		_ = os.Remove(s.created) // nothing can be done about it
	}
}

// read lets p.Threads threads read random places for a while, and adds what
// they took to p.
func (s *fileSet) read(ctx context.Context, p *Point, bytes int, d time.Duration) error {
	return s.readAndPause(ctx, p, bytes, d, 0)
}

// readAndPause is read with an exponential pause before every read, of the given
// mean in seconds.
func (s *fileSet) readAndPause(ctx context.Context, p *Point, bytes int, d time.Duration, pause float64) error {
	defer enoughTurns(p.Threads)()
	begin, opened := time.Now(), monotonic()
	var wait sync.WaitGroup
	times := make([][]float64, p.Threads)
	reads := make([][]Operation, p.Threads)
	cpu, all := make([]int64, p.Threads), make([]int64, p.Threads)
	errs := make([]error, p.Threads)
	for i := range p.Threads {
		wait.Go(func() {
			runtime.LockOSThread() // one thread of the system each, as in the program
			if !s.realTime {
				defer runtime.UnlockOSThread()
			} else if errs[i] = raise(); errs[i] != nil { // a locked thread ends with its goroutine
				return
			}
			random := rand.New(rand.NewPCG(uint64(i), uint64(begin.UnixNano())))
			buffer := aligned(bytes)
			me := int64(unix.Gettid())
			started := clock(unix.CLOCK_THREAD_CPUTIME_ID)
			defer func() { all[i] = clock(unix.CLOCK_THREAD_CPUTIME_ID) - started }()
			for ctx.Err() == nil && time.Since(begin) < d {
				if pause > 0 {
					sleep(pause * random.ExpFloat64())
				}
				start, before := monotonic(), clock(unix.CLOCK_THREAD_CPUTIME_ID)
				if errs[i] = s.readOne(random, buffer); errs[i] != nil {
					return
				}
				o := Operation{Thread: me, Start: start, End: monotonic()}
				o.CPU = clock(unix.CLOCK_THREAD_CPUTIME_ID) - before
				times[i], reads[i] = append(times[i], float64(o.End-o.Start)*1e-9), append(reads[i], o)
				cpu[i] += o.CPU
			}
		})
	}
	wait.Wait()
	r := round{elapsed: time.Since(begin).Seconds()}
	p.Elapsed += r.elapsed
	for i, t := range times {
		r.reads += len(t)
		for _, o := range reads[i] {
			r.within(o, opened, opened+d.Nanoseconds())
		}
		p.Times, p.Reads = append(p.Times, t...), append(p.Reads, reads[i]...)
		p.CPU += float64(cpu[i]) * 1e-9
		p.Between += float64(all[i]-cpu[i]) * 1e-9
	}
	p.rounds = append(p.rounds, r)
	return errors.Join(errs...)
}

// sleep lets the calling thread, not only its goroutine, sleep for some seconds: the timers of the Go
// runtime wait for whole milliseconds on an idle processor, many reads of a fast disk.
func sleep(seconds float64) {
	t := unix.NsecToTimespec(int64(1e9 * seconds))
	_ = unix.ClockNanosleep(unix.CLOCK_MONOTONIC, 0, &t, nil) // a signal shortens one pause
}

// raise gives the calling thread real-time priority, below that of a simulated
// device.
func raise() error {
	const priority = 40
	a := unix.SchedAttr{Size: unix.SizeofSchedAttr, Policy: unix.SCHED_FIFO, Priority: priority}
	if err := unix.SchedSetAttr(0, &a, 0); err != nil {
		return fmt.Errorf("real-time priority: %w", err)
	}
	return nil
}

// readOne reads a random place of a random file, in proportion to sizes.
func (s *fileSet) readOne(random *rand.Rand, buffer []byte) error {
	at := random.Int64N(s.blocks())
	i, begin := 0, int64(0)
	for s.ends[i] <= at {
		begin = s.ends[i]
		i++
	}
	offset := (at - begin) * alignment
	if last := (s.ends[i]-begin)*alignment - int64(len(buffer)); offset > last {
		offset = max(0, last)
	}
	fd := int(s.files[i].Fd())
	if !s.direct {
		if err := unix.Fadvise(fd, offset, int64(len(buffer)), unix.FADV_DONTNEED); err != nil {
			return fmt.Errorf("%s: %w", s.files[i].Name(), err)
		}
	}
	if _, err := unix.Pread(fd, buffer, offset); err != nil {
		return fmt.Errorf("%s: %w", s.files[i].Name(), err)
	}
	return nil
}

// aligned returns a buffer that O_DIRECT accepts.
func aligned(bytes int) []byte {
	b := make([]byte, bytes+alignment)
	skip := int(-uintptr(unsafe.Pointer(&b[0])) & (alignment - 1))
	return b[skip : skip+bytes]
}
