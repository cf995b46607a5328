package predictability

import (
	"slices"
	"strings"
	"syscall"
	"testing"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

// Lines of -Xlog:gc+heap=debug of JDK 17: a young collection and a full one of
// the serial collector, and one of G1. Generations add up; the metaspace is not
// of the heap.
func TestTheHeapIsReadFromTheLogOfTheJVM(t *testing.T) {
	t.Parallel()
	serial := `[0.422s][debug][gc,heap] GC(0) Heap before GC invocations=0 (full 0):
[0.422s][debug][gc,heap] GC(0)  def new generation   total 2432K, used 2176K [0x00000000ff800000, 0x00000000ffaa0000, 0x00000000ffaa0000)
[0.422s][debug][gc,heap] GC(0)   eden space 2176K, 100% used [0x00000000ff800000, 0x00000000ffa20000, 0x00000000ffa20000)
[0.422s][debug][gc,heap] GC(0)  tenured generation   total 5504K, used 1024K [0x00000000ffaa0000, 0x0000000100000000, 0x0000000100000000)
[0.422s][debug][gc,heap] GC(0)  Metaspace       used 175K, committed 384K, reserved 1114112K
[0.447s][debug][gc,heap] GC(0) Heap after GC invocations=1 (full 0):
[0.447s][debug][gc,heap] GC(0)  def new generation   total 2432K, used 255K [0x00000000ff800000, 0x00000000ffaa0000, 0x00000000ffaa0000)
[0.457s][debug][gc,heap] GC(1) Heap before GC invocations=1 (full 0):
[0.457s][debug][gc,heap] GC(1)  def new generation   total 2432K, used 2431K [0x00000000ff800000, 0x00000000ffaa0000, 0x00000000ffaa0000)
[0.462s][debug][gc,heap] GC(1) Heap after GC invocations=2 (full 1):
[0.462s][debug][gc,heap] GC(1)  def new generation   total 2432K, used 0K [0x00000000ff800000, 0x00000000ffaa0000, 0x00000000ffaa0000)
[0.462s][debug][gc,heap] GC(1)  tenured generation   total 5504K, used 3216K [0x00000000ffaa0000, 0x0000000100000000, 0x0000000100000000)
[0.472s][debug][gc,heap        ] GC(2) Heap before GC invocations=2 (full 1):
[0.472s][debug][gc,heap        ] GC(2)  garbage-first heap   total 12288K, used 5044K [0x00000000ff400000, 0x0000000100000000)
`
	before, after := heapUse([]byte(serial))
	if want := []int64{3200 << 10, 2431 << 10, 5044 << 10}; !slices.Equal(before, want) {
		t.Errorf("in use before collections: %d, want %d", before, want)
	}
	if want := []int64{3216 << 10}; !slices.Equal(after, want) {
		t.Errorf("in use after full collections: %d, want %d", after, want)
	}
}

// A method counts when it is compiled and when it is inlined, not when its code
// is thrown away, nor when it was too large.
func TestCompiledAndInlinedMethodsAreCounted(t *testing.T) {
	t.Parallel()
	log := `[0.038s][debug][jit,compilation]    1       3       java.lang.Object::<init> (1 bytes)
[0.059s][debug][jit,compilation]    2       3       java.lang.String::hashCode (60 bytes)
[0.059s][debug][jit,inlining   ]                               @ 17   java.lang.String::isLatin1 (19 bytes)   inline
[0.059s][debug][jit,inlining   ]                               @ 27   java.lang.StringLatin1::hashCode (42 bytes)   callee is too large
[1.770s][debug][jit,inlining   ]                                 @ 3   jdk.internal.misc.Unsafe::getReferenceVolatile (0 bytes)   intrinsic
[1.766s][debug][jit,compilation]    1       3       java.lang.Object::<init> (1 bytes)   made not entrant
`
	if got := compiled([]byte(log)); got != 3 {
		t.Errorf("%d methods, want 3: two compiled, one inlined", got)
	}
}

// The format of gctrace is documented in package runtime.
func TestCollectionsAreReadFromGctrace(t *testing.T) {
	t.Parallel()
	text := `log |det| = 12
gc 1 @0.038s 5%: 0.5+1.2+0.25 ms clock, 1.0+0.25/1.5/0.25+0.5 ms cpu, 4->5->2 MB, 5 MB goal, 0 MB stacks, 0 MB globals, 2 P
gc 2 @0.138s 5%: 0.5+1.2+0.25 ms clock, 1.0+0/0/0+0 ms cpu, 8->9->4 MB, 5 MB goal, 0 MB stacks, 0 MB globals, 2 P (forced)
`
	got := collections([]byte(text))
	if len(got) != 2 || got[0].cpu < 3.499e-3 || got[0].cpu > 3.501e-3 || got[0].peak != 6*mega || got[1].peak != 10*mega {
		t.Errorf("collections %+v, want 3.5 ms of CPU time with a peak below 6 MB, and a second below 10 MB", got)
	}
}

// Bit n−1 of SigCgt is signal n (proc(5)); SIGQUIT is 3.
func TestAHandlerOfSIGQUITIsSeenInTheStatus(t *testing.T) {
	t.Parallel()
	for status, want := range map[string]bool{"SigIgn:\t0\nSigCgt:\t0000000000000004\n": true, "SigCgt:\t0000000000000002\n": false, "Name:\tjava\n": false} {
		if got := catches(status, syscall.SIGQUIT); got != want {
			t.Errorf("%q: handled %t, want %t", status, got, want)
		}
	}
}
