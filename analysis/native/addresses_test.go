package native

import (
	"debug/elf"
	"testing"
)

// The C library calls main from a function that only its debugging symbols name, and few machines have those: it is part of no
// context, and is not taken for main where that has no name either. A function that the C library calls back stays in its place.
func TestWhatStartsAProgramIsNotInItsContexts(t *testing.T) {
	t.Parallel()
	loaded := func(name string, functions ...function) *image {
		im := openImage(name)
		im.loads, im.functions = []elf.ProgHeader{{Vaddr: 0, Filesz: 0x1000, Memsz: 0x1000}}, functions
		return im
	}
	function := func(name string, from uint64) function { return function{from: from, to: from + 0x100, name: name} }
	a := newAddresses([]mapping{{from: 0x10000, to: 0x11000, file: "/tmp/shop"}, {from: 0x20000, to: 0x21000, file: "/lib/x86_64-linux-gnu/libc.so.6"}})
	a.images["/tmp/shop"] = loaded("/tmp/shop", function("main", 0x100), function("compare", 0x200), function("worker", 0x300))
	a.images["/lib/x86_64-linux-gnu/libc.so.6"] = loaded("/lib/x86_64-linux-gnu/libc.so.6", function("libc.so.6+0x100", 0x100),
		function("__libc_start_main", 0x200), function("qsort", 0x300), function("libc.so.6+0x400", 0x400), function("libc.so.6+0x500", 0x500))
	for name, x := range map[string]struct {
		ips  []uint64
		want string
	}{
		"main":                    {[]uint64{0x10110, 0x20110, 0x20210}, "main"},
		"called back":             {[]uint64{0x10210, 0x20310, 0x10110, 0x20110, 0x20210}, "compare qsort main"},
		"a thread":                {[]uint64{0x10310, 0x20410, 0x20510}, "worker"},
		"of the C library itself": {[]uint64{0x20410, 0x20510}, "libc.so.6+0x400 libc.so.6+0x500"},
	} {
		s, whole := a.site(x.ips, false)
		got := ""
		for i, f := range s.Frames {
			if i > 0 {
				got += " "
			}
			got += f.Function
		}
		if got != x.want || whole != (name != "of the C library itself") {
			t.Errorf("%s: the context is %q (whole: %v), want %q", name, got, whole, x.want)
		}
	}
}
