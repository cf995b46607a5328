package diskio

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

func recorders() []Recorder { return []Recorder{Tracefs{}, EBPF{}} }

// Tracefs records by private instances of the kernel's tracing file system:
// one for the events of the block layer, which are completed in whatever task
// is current, and one for the system calls of chosen threads. Other users of
// tracing are not disturbed. It needs root.
type Tracefs struct {
	Root string // where tracefs is mounted; "": /sys/kernel/tracing, mounted if it is not
}

const (
	tracingRoot  = "/sys/kernel/tracing"
	bufferKB     = 8192    // of each CPU and instance
	mostEvents   = 1 << 24 // of a CPU that are kept
	pollInterval = 20 * time.Millisecond
)

// fileCalls are the system calls on files that may reach a disk.
var fileCalls = []string{"read", "pread64", "readv", "preadv", "write", "pwrite64", "writev", "pwritev", "open", "openat", "openat2",
	"stat", "newfstatat", "statx", "newfstat", "lstat", "getdents64", "fsync", "fdatasync", "sendfile64", "copy_file_range", "unlinkat", "renameat2", "mkdirat"}

// Name is "tracefs".
func (Tracefs) Name() string { return "tracefs" }

// Lacks is nothing that a model needs.
func (Tracefs) Lacks() []string { return nil }

func (t Tracefs) root() string {
	if t.Root != "" {
		return t.Root
	}
	return tracingRoot
}

// Usable mounts tracefs if that is all that is missing.
func (t Tracefs) Usable() error {
	if err := kernelNumbers(); err != nil {
		return err
	}
	instances := filepath.Join(t.root(), "instances")
	if _, err := os.Stat(instances); errors.Is(err, fs.ErrNotExist) && t.Root == "" {
		if err := unix.Mount("tracefs", tracingRoot, "tracefs", 0, ""); err != nil {
			return fmt.Errorf("mount tracefs at %s: %w", tracingRoot, err)
		}
	}
	if err := unix.Access(instances, unix.W_OK); err != nil {
		return fmt.Errorf("%s: %w; it needs root", instances, err)
	}
	return nil
}

// instance is a private set of tracing buffers.
type instance struct {
	dir    string
	events []string // directories of the enabled events
}

func (i *instance) write(name, value string) error {
	return os.WriteFile(filepath.Join(i.dir, name), []byte(value), 0) // exists: the mode does not matter
}

// newInstance makes an instance that records nothing yet.
func (t Tracefs) newInstance(name string) (*instance, error) {
	i := &instance{dir: filepath.Join(t.root(), "instances", name)}
	if err := os.Mkdir(i.dir, 0o700); err != nil {
		return nil, fmt.Errorf("tracefs: %w", err)
	}
	err := errors.Join(
		i.write("tracing_on", "0"), // a new one is on
		i.write("trace_clock", "mono"),
		i.write("buffer_size_kb", strconv.Itoa(bufferKB)),
	)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("tracefs: %w", err), i.remove())
	}
	return i, nil
}

// enable turns an event on and returns its layout.
func (i *instance) enable(group, name string) (tracepoint, error) {
	dir := filepath.Join(i.dir, "events", group, name)
	f, err := os.Open(filepath.Join(dir, "format"))
	if err != nil {
		return tracepoint{}, err
	}
	defer f.Close()
	p, err := parseFormat(f)
	if err != nil {
		return p, err
	}
	i.events = append(i.events, dir)
	return p, os.WriteFile(filepath.Join(dir, "enable"), []byte("1"), 0)
}

// remove turns everything off and takes the instance away.
func (i *instance) remove() error {
	errs := []error{i.write("tracing_on", "0")}
	for _, dir := range i.events {
		errs = append(errs, os.WriteFile(filepath.Join(dir, "enable"), []byte("0"), 0))
	}
	// A process that is being started has our files open until its exec.
	var err error
	for range 100 {
		if err = unix.Rmdir(i.dir); !errors.Is(err, unix.EBUSY) {
			break
		}
		time.Sleep(pollInterval)
	}
	if err != nil {
		err = fmt.Errorf("remove %s: %w", i.dir, err)
	}
	return errors.Join(append(errs, err)...)
}

// tracing is a Recording of Tracefs.
type tracing struct {
	scope     Scope
	instances []*instance
	points    map[uint16]tracepoint
	page      ringPage
	guard     *watchdog
	stop      chan struct{}
	readers   sync.WaitGroup
	results   []cpuEvents
}

// cpuEvents is what was read of one CPU's buffer of one instance.
type cpuEvents struct {
	blocks []event
	calls  []callEvent
	missed int64
	flags  flagWords
	err    error

	interrupts interrupted
}

// Start begins to record.
func (t Tracefs) Start(s Scope) (_ Recording, err error) {
	if err := t.Usable(); err != nil {
		return nil, fmt.Errorf("tracefs: %w", err)
	}
	r := &tracing{scope: s, points: map[uint16]tracepoint{}, stop: make(chan struct{})}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.clean())
		}
	}()
	if r.page, err = readPageLayout(filepath.Join(t.root(), "events", "header_page")); err != nil {
		return nil, err
	}
	prefix := fmt.Sprintf("tierscope-%d-%d", os.Getpid(), time.Now().UnixNano())
	names := []string{filepath.Join(t.root(), "instances", prefix+"-block")}
	if len(s.Threads) > 0 {
		names = append(names, filepath.Join(t.root(), "instances", prefix+"-calls"))
	}
	if r.guard, err = startWatchdog(names); err != nil { // before there is something to guard
		return nil, err
	}
	block, err := t.newInstance(prefix + "-block")
	if err != nil {
		return nil, err
	}
	r.instances = append(r.instances, block)
	for name := range perfActions {
		p, err := block.enable("block", name)
		if err != nil {
			return nil, fmt.Errorf("tracefs: %w", err)
		}
		r.points[p.id] = p
	}
	if s.Interrupts {
		if err := r.enableInterrupts(block); err != nil {
			return nil, fmt.Errorf("tracefs: %w", err)
		}
	}
	if len(s.Threads) > 0 {
		if err := r.enableCalls(t, prefix+"-calls"); err != nil {
			return nil, err
		}
	}
	return r, r.run()
}

// enableInterrupts lets an instance record interrupts too.
func (r *tracing) enableInterrupts(i *instance) error {
	for name, filter := range interruptEvents {
		if filter != "" {
			if err := i.write(filepath.Join("events", "irq", name, "filter"), filter); err != nil {
				return err
			}
		}
		p, err := i.enable("irq", name)
		if err != nil {
			return err
		}
		r.points[p.id] = p
	}
	return nil
}

// enableCalls makes the instance that records system calls.
func (r *tracing) enableCalls(t Tracefs, name string) error {
	calls, err := t.newInstance(name)
	if err != nil {
		return err
	}
	r.instances = append(r.instances, calls)
	var threads strings.Builder
	for _, tid := range r.scope.Threads {
		fmt.Fprintf(&threads, "%d ", tid)
	}
	if err := errors.Join(calls.write("options/event-fork", "1"), calls.write("set_event_pid", threads.String())); err != nil {
		return fmt.Errorf("tracefs: %w", err)
	}
	for _, call := range fileCalls {
		for _, which := range []string{"sys_enter_", "sys_exit_"} {
			p, err := calls.enable("syscalls", which+call)
			if errors.Is(err, fs.ErrNotExist) {
				continue // not on this architecture
			}
			if err != nil {
				return fmt.Errorf("tracefs: %w", err)
			}
			r.points[p.id] = p
		}
	}
	return nil
}

// run opens the buffers of all CPUs, turns tracing on and reads.
func (r *tracing) run() error {
	var files []*os.File
	for _, i := range r.instances {
		paths, err := filepath.Glob(filepath.Join(i.dir, "per_cpu", "cpu*", "trace_pipe_raw"))
		if err != nil {
			return err
		}
		for _, path := range paths {
			fd, err := unix.Open(path, unix.O_RDONLY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
			if err != nil {
				return fmt.Errorf("tracefs: %s: %w", path, err)
			}
			files = append(files, os.NewFile(uintptr(fd), path))
		}
	}
	r.results = make([]cpuEvents, len(files))
	for i, f := range files {
		r.readers.Go(func() {
			r.read(int(f.Fd()), &r.results[i])
			r.results[i].err = errors.Join(r.results[i].err, f.Close())
		})
	}
	for _, i := range r.instances {
		if err := i.write("tracing_on", "1"); err != nil {
			return fmt.Errorf("tracefs: %w", err)
		}
	}
	return nil
}

// read collects the events of one buffer until stop, and then what is left.
func (r *tracing) read(fd int, c *cpuEvents) {
	page := make([]byte, r.page.size)
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for last := false; ; {
		n, err := unix.Read(fd, page)
		switch {
		case n > 0:
			missed, err := r.page.records(page[:n], func(at int64, payload []byte) { r.event(at, payload, c) })
			if missed {
				c.missed++
			}
			if err != nil {
				c.err = fmt.Errorf("tracefs: %w", err)
				return
			}
			continue
		case err != nil && !errors.Is(err, unix.EAGAIN) && !errors.Is(err, unix.EINTR):
			c.err = fmt.Errorf("tracefs: read: %w", err)
			return
		case last:
			return
		}
		select {
		case <-r.stop:
			last = true
		case <-tick.C:
		}
	}
}

func (r *tracing) event(at int64, payload []byte, c *cpuEvents) {
	if len(payload) < 8 {
		return
	}
	p, ok := r.points[uint16(payload[0])|uint16(payload[1])<<8]
	switch {
	case !ok:
	case c.interrupts.see(p.name, at, p.thread(payload)):
	case len(c.blocks)+len(c.calls) >= mostEvents:
		c.missed++
	case strings.HasPrefix(p.name, "block_"):
		c.blocks = append(c.blocks, p.blockEvent(at, payload, &c.flags))
	default:
		call, enter := strings.CutPrefix(p.name, "sys_enter_")
		if !enter {
			call = strings.TrimPrefix(p.name, "sys_exit_")
		}
		c.calls = append(c.calls, callEvent{at, p.thread(payload), call, !enter})
	}
}

// Stop ends the recording.
func (r *tracing) Stop() (Log, error) {
	var errs []error
	for _, i := range r.instances {
		errs = append(errs, i.write("tracing_on", "0"))
	}
	errs = append(errs, r.clean())
	c := capture{source: "tracefs"}
	for i := range r.results {
		p := &r.results[i]
		c.blocks, c.calls = append(c.blocks, p.blocks), append(c.calls, p.calls)
		c.missed += p.missed
		c.interrupts = append(c.interrupts, p.interrupts.all...)
		errs = append(errs, p.err)
	}
	log := c.log(r.scope, wholeDisks())
	log.Devices = describeDevices(log.Requests)
	return log, errors.Join(errs...)
}

// clean ends the readers and takes the instances away.
func (r *tracing) clean() error {
	close(r.stop)
	r.readers.Wait()
	var errs []error
	for _, i := range r.instances {
		errs = append(errs, i.remove())
	}
	if r.guard != nil {
		r.guard.dismiss()
	}
	return errors.Join(errs...)
}

// readPageLayout reads events/header_page.
func readPageLayout(path string) (ringPage, error) {
	f, err := os.Open(path)
	if err != nil {
		return ringPage{}, fmt.Errorf("tracefs: %w", err)
	}
	defer f.Close()
	t, err := parseFormat(f)
	data, ok := t.fields["data"]
	if err != nil || !ok {
		return ringPage{}, fmt.Errorf("tracefs: %s does not describe a page", path)
	}
	return ringPage{size: data.offset + data.size, data: data.offset}, nil
}
