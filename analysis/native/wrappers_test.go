package native

import (
	"testing"

	"tierscope/analysis/trace"
)

// The closure that a thread of Rust runs may be compiled into the function of the library that calls it. Whatever it does, and
// however deep in the library that is, is at a place in that function: none of the library's says where the program decides on it.
func TestAClosureInAFunctionOfTheLibraryIsThePlaceOfWhatItDoes(t *testing.T) {
	t.Parallel()
	std := func(function, file string, at int) trace.Frame {
		return trace.Frame{Function: function, File: file, At: at, Std: true}
	}
	start := func(at int) []trace.Frame {
		return []trace.Frame{std("std::sys::backtrace::_rust_begin_short_backtrace", "", at), std("core::ops::function::FnOnce::call_once{{vtable.shim}}", "", 7),
			std("<std::sys::thread::unix::Thread>::new::thread_start", "/rustc/0/library/std/src/sys/thread/unix.rs", 0)}
	}
	sites := []trace.Site{
		{Frames: append([]trace.Frame{std("std::sys::pal::unix::futex::futex_wake", "/rustc/0/library/std/src/sys/pal/unix/futex.rs", 1), std("<std::sync::mpmc::waker::SyncWaker>::notify", "", 2)}, start(10)...)},
		{Frames: append([]trace.Frame{std("std::sys::pal::unix::futex::futex_wait", "/rustc/0/library/std/src/sys/pal/unix/futex.rs", 3)}, start(20)...)},
		{Frames: append([]trace.Frame{std("std::sys::pal::unix::futex::futex_wait", "/rustc/0/library/std/src/sys/pal/unix/futex.rs", 3), {Function: "rank::count", At: 4}}, start(30)...)},
		{Frames: []trace.Frame{std("std::thread::_State::_M_run", "", 5)}},
	}
	peel(sites, nil, nil)
	for i, want := range []int{10, 20, 4, 5} {
		if got := sites[i].Frames[0]; got.At != want {
			t.Errorf("site %d is in %s at %d, want %d", i, got.Function, got.At, want)
		}
	}
	if sites[2].Frames[0].Std || sites[3].Frames[0].Std {
		t.Error("a function of the program's, or the only one that may be, counts as the library's")
	}
}

// Before that function and after it, as where what the closure had is given back, and where it lies deeper than stacks are kept, a
// thread is seen in the library alone. That is no function of the program, by which it would be told from others of its kind.
func TestAThreadIsNotCalledAfterAFunctionOfTheLibrary(t *testing.T) {
	t.Parallel()
	std := func(function string, at int) trace.Frame { return trace.Frame{Function: function, At: at, Std: true} }
	sites := []trace.Site{
		{Frames: []trace.Frame{std("std::sys::pal::unix::futex::futex_wait", 1), std("std::sys::backtrace::_rust_begin_short_backtrace", 2)}},
		{Frames: []trace.Frame{std("core::ptr::drop_in_place::<>", 3), std("core::ops::function::FnOnce::call_once{{vtable.shim}}", 4)}},
	}
	peel(sites, nil, nil)
	for i, s := range sites {
		if s.Frames[0].Function != trace.Closure {
			t.Errorf("site %d is in %s, want a closure of which nobody knows where it stands", i, s.Frames[0].Function)
		}
	}
}
