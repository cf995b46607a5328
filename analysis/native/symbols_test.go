package native

import "testing"

// Headers of a language are no part of the program, wherever they lie, and its own folders are.
func TestHeadersOfTheLanguageAreNotTheProgram(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{
		"/usr/include/c++/12/bits/std_mutex.h":                        true,
		"/usr/include/x86_64-linux-gnu/c++/12/bits/gthr-default.h":    true,
		"/usr/lib/llvm-14/include/c++/v1/mutex":                       true,
		"/rustc/90b35a6239c3d8bdabc530a6a0816f7ff89a0aaf/std/mpsc.rs": true,
		"/home/a/include/queue.h":                                     false,
		"/home/a/c++/queue.h":                                         false,
	} {
		if got := ofLanguage("f", file); got != want {
			t.Errorf("%s is of the language: %t, want %t", file, got, want)
		}
	}
	if !ofLanguage("std::thread::_Invoker::operator()", "") || ofLanguage("main", "") {
		t.Error("without a file the name tells")
	}
}
