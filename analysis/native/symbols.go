package native

import (
	"debug/elf"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/ianlancetaylor/demangle"

	"tierscope/analysis/trace"
)

// image is an ELF file that was loaded: the program or a library.
type image struct {
	name      string
	loads     []elf.ProgHeader
	functions []function
	source    *source // nil: nothing is known
	library   bool    // of a language, not of the program
	starts    bool    // the C library, which starts programs and threads
}

// languageLibraries begin the names of libraries whose code is the language's.
var languageLibraries = []string{"libc.", "libc-", "ld-linux", "libpthread", "libstdc++", "libc++", "libgcc_s", "libgomp", "libomp", "libm.", "tierscope-recorder"}

// cLibraries are those of them that start programs and threads, and musl, which is one file.
var cLibraries = []string{"libc.", "libc-", "libpthread", "ld-musl"}

func openImage(name string) *image {
	im := &image{name: name}
	begins := func(l string) bool { return strings.HasPrefix(filepath.Base(name), l) }
	im.library, im.starts = slices.ContainsFunc(languageLibraries, begins), slices.ContainsFunc(cLibraries, begins)
	f, err := elf.Open(name)
	if err != nil {
		return im // it was removed, or is the kernel's: addresses stay numbers
	}
	defer f.Close()
	files := []*elf.File{f}
	if d := separate(f); d != nil {
		defer d.Close()
		files = append(files, d)
	}
	for _, p := range f.Progs {
		if p.Type == elf.PT_LOAD {
			im.loads = append(im.loads, p.ProgHeader)
		}
	}
	im.functions = functionsOf(name, files...)
	if !im.library {
		im.source = newSource(files...)
	}
	return im
}

// address is what a byte of the file has in the file's own symbols.
func (im *image) address(offset uint64) uint64 {
	for _, p := range im.loads {
		if offset >= p.Off && offset < p.Off+p.Filesz {
			return offset - p.Off + p.Vaddr
		}
	}
	return offset
}

// frames are the calls at an address of the file, innermost first. at tells the place apart
// from others in the file.
func (im *image) frames(address, at uint64) []trace.Frame {
	var out []trace.Frame
	base := filepath.Base(im.name)
	fn := functionAt(im.functions, address)
	if im.source != nil {
		for _, c := range im.source.calls(address) {
			out = append(out, trace.Frame{Function: c.function, File: c.file, Line: c.line})
		}
	}
	if len(out) == 0 {
		out = []trace.Frame{{Function: fmt.Sprintf("%s+%#x", base, address), Line: int(at)}}
		if fn != nil {
			out[0].Function = fn.name
		}
	}
	out[0].At = int(at)
	for i := range out {
		f := &out[i]
		f.Function = readable(f.Function)
		f.Std = im.library || ofLanguage(f.Function, f.File)
	}
	if fn != nil {
		if body := threadBody(fn.name); body != "" {
			out[len(out)-1].Function, out[len(out)-1].Std = body, false
		}
	}
	return out
}

// languageNames match functions of the standard libraries of C++ and Rust that are compiled into programs.
var languageNames = regexp.MustCompile(`^(std|__gnu_cxx|__cxxabiv1|core|alloc|<(std|core|alloc|&?mut|&?dyn)\b.*)::|^(__rust_|_Unwind_)`)

// languageHeaders are the folders of the headers of C++, of which those for one machine lie in one of their own:
// /usr/include/c++/12 and /usr/include/x86_64-linux-gnu/c++/12.
var languageHeaders = regexp.MustCompile(`/include/([^/]+/)?c\+\+/`)

// ofLanguage tells the code of standard libraries: their headers are compiled into programs.
func ofLanguage(function, file string) bool {
	return languageHeaders.MatchString(file) || strings.HasPrefix(file, "/rustc/") || strings.Contains(file, "/rustlib/src/") || languageNames.MatchString(function)
}

// readable is the name of a function as its source has it, without parameters.
func readable(name string) string {
	if !strings.HasPrefix(name, "_Z") && !strings.HasPrefix(name, "_R") {
		return name
	}
	return demangle.Filter(name, demangle.NoParams, demangle.NoTemplateParams)
}
