package diskio

import (
	"bytes"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/cilium/ebpf/asm"
	"github.com/cilium/ebpf/btf"
)

// someKernel is a layout with a different number for everything.
var someKernel = kernelLayout{
	sector: 48, length: 44, flags: 24, queue: 0, disk: 120, major: 4, minor: 8,
	bioSector: 32, bioLength: 40, bioFlags: 16, bioDevice: 8, number: 52, thread: 1400,
	operations: 0xff, sync: 1 << 11, meta: 1 << 12, fua: 1 << 17, flush: 1 << 18, ahead: 1 << 19,
}

func programs() map[string]asm.Instructions {
	l, maps := &someKernel, kernelMaps{events: 3, lost: 4, threads: 5, calls: 6, inside: 7}
	return map[string]asm.Instructions{
		"bio": bioProgram(l, maps), "complete": requestProgram(l, maps, completed), "issue": requestProgram(l, maps, issued),
		"enter": enterProgram(l, maps), "leave": leaveProgram(l, maps), "fork": forkProgram(l, maps),
	}
}

// What the kernel's verifier demands of any program and can be seen without one:
// it can be encoded, its jumps go forward to a place that exists, it touches no
// more of the stack than it has cleared, keeps nothing in a register that a call
// destroys, and sets a result before it returns.
func TestProgramsForTheKernelKeepItsRules(t *testing.T) {
	t.Parallel()
	for name, program := range programs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var text bytes.Buffer
			if err := program.Marshal(&text, binary.LittleEndian); err != nil {
				t.Fatal(err)
			}
			symbols, err := program.SymbolOffsets()
			if err != nil {
				t.Fatal(err)
			}
			known := map[asm.Register]bool{asm.R1: true, asm.R10: true}
			need := func(i int, registers ...asm.Register) {
				t.Helper()
				for _, r := range registers {
					if !known[r] {
						t.Errorf("instruction %d (%v) uses %v, which holds nothing", i, program[i], r)
					}
				}
			}
			for i, in := range program {
				if to := in.Reference(); to != "" && symbols[to] <= i {
					t.Errorf("instruction %d (%v) jumps back or nowhere", i, in)
				}
				onStack := in.Dst == asm.R10 && in.OpCode.Class().IsStore() || in.Src == asm.R10 && in.OpCode.Class().IsLoad()
				if onStack && (in.Offset < slot || in.Offset > -4) {
					t.Errorf("instruction %d (%v) is outside of the stack that was cleared", i, in)
				}
				switch {
				case in.IsBuiltinCall():
					for r := asm.R1; r <= asm.R5; r++ {
						delete(known, r)
					}
					known[asm.R0] = true
				case in.OpCode.Class().IsLoad():
					if !in.IsLoadFromMap() {
						need(i, in.Src)
					}
					known[in.Dst] = true
				case in.OpCode.Class().IsStore():
					need(i, in.Dst)
					if in.OpCode.Class() == asm.StXClass {
						need(i, in.Src)
					}
				case in.OpCode.Class() == asm.ALU64Class:
					if in.OpCode.Source() == asm.RegSource {
						need(i, in.Src)
					}
					if in.OpCode.ALUOp() != asm.Mov {
						need(i, in.Dst)
					}
					known[in.Dst] = true
				case in.OpCode.Class().IsJump() && in.OpCode.JumpOp() == asm.Exit:
					need(i, asm.R0)
				case in.OpCode.Class().IsJump():
					need(i, in.Dst)
				}
			}
			if last := program[len(program)-1]; last.OpCode.JumpOp() != asm.Exit {
				t.Errorf("it ends with %v", last)
			}
		})
	}
}

// A completion may be of a part of a request: its size is the third argument
// (trace/events/block.h), at byte 16 of the context.
func TestOnlyCompletionsTakeTheirSizeFromTheTracepoint(t *testing.T) {
	t.Parallel()
	third := func(p asm.Instructions) bool {
		for _, in := range p {
			if in.OpCode.Class().IsLoad() && in.Src == asm.R6 && in.Offset == 16 {
				return true
			}
		}
		return false
	}
	if p := programs(); !third(p["complete"]) || third(p["issue"]) {
		t.Error("want the third argument in the program of completions only")
	}
}

// blk_fill_rwbs of the kernel: preflush, operation, force unit access, read-ahead,
// synchronous, metadata.
func TestFlagsOfRequestsAreWrittenAsTheKernelWritesThem(t *testing.T) {
	t.Parallel()
	l := &someKernel
	for flags, want := range map[uint32]string{
		0: "R", l.ahead: "RA", l.meta | l.sync: "RSM", 1 | l.sync: "WS", 1 | l.flush | l.fua | l.sync: "FWFS", 2: "F", 3: "D", 35: "N",
	} {
		if got := l.rwbs(flags); got != want {
			t.Errorf("flags %#x are %q, want %q", flags, got, want)
		}
	}
}

func TestMembersAreFoundInsideMembersWithoutName(t *testing.T) {
	t.Parallel()
	word := &btf.Int{Name: "u32", Size: 4}
	inner := &btf.Struct{Size: 8, Members: []btf.Member{{Name: "x", Type: word}, {Name: "y", Type: word, Offset: 32}}}
	outer := &btf.Struct{Name: "s", Size: 16, Members: []btf.Member{
		{Name: "a", Type: word}, {Name: "", Type: &btf.Union{Size: 8, Members: []btf.Member{{Name: "", Type: inner}}}, Offset: 64},
		{Name: "named", Type: &btf.Typedef{Name: "inner_t", Type: inner}, Offset: 64},
	}}
	for _, c := range []struct {
		path []string
		want uint32
	}{{[]string{"y"}, 12}, {[]string{"named", "y"}, 12}, {[]string{"a"}, 0}} {
		if got, err := offset(outer, c.path); err != nil || got != c.want {
			t.Errorf("%v is at %d (%v), want %d", c.path, got, err, c.want)
		}
	}
	if _, err := offset(outer, []string{"gone"}); err == nil {
		t.Error("a member that does not exist was found")
	}
}

// recorderStub is a recorder that is usable, or not and why.
type recorderStub struct {
	name string
	why  error
}

func (r recorderStub) Name() string                 { return r.name }
func (r recorderStub) Lacks() []string              { return []string{"much"} }
func (r recorderStub) Usable() error                { return r.why }
func (recorderStub) Start(Scope) (Recording, error) { return nil, nil }

// The trust report must say which recorder was used and why no better one.
func TestAFallbackSaysWhyTheBetterRecorderWasPassedOver(t *testing.T) {
	t.Parallel()
	r, err := choose([]Recorder{recorderStub{"best", errors.New("no root")}, recorderStub{"second", nil}, recorderStub{"third", nil}})
	if err != nil || r.Name() != "second" {
		t.Fatalf("chosen %v (%v), want second", r, err)
	}
	if l := r.Lacks(); len(l) != 2 || !strings.Contains(l[0], "best") || !strings.Contains(l[0], "no root") || l[1] != "much" {
		t.Errorf("it lacks %q; want why best was passed over, and much", l)
	}
	_, err = choose([]Recorder{recorderStub{"best", errors.New("no root")}, recorderStub{"second", errors.New("no BTF")}})
	if !errors.Is(err, ErrNoRecorder) || !strings.Contains(err.Error(), "no root") || !strings.Contains(err.Error(), "no BTF") {
		t.Errorf("error %v; want both reasons", err)
	}
}

// A stray record of the ring must not be taken for an event.
func FuzzKernelEvents(f *testing.F) {
	f.Add(make([]byte, eventSize))
	f.Add([]byte("short"))
	f.Fuzz(func(t *testing.T, b []byte) {
		e, ok := parseKernelEvent(b)
		if ok != (len(b) >= eventSize) {
			t.Fatalf("%d bytes: %v", len(b), ok)
		}
		if ok {
			c := capture{blocks: make([][]event, 1), calls: make([][]callEvent, 1)}
			c.add(&e, &someKernel)
			c.log(Scope{}, func(d uint64) uint64 { return d })
		}
	})
}
