package instrument

import (
	"embed"
	"strings"
)

//go:embed goroutine
var goroutine embed.FS

// File is a file of the standard library, by its path below src.
type File struct {
	Path string
	Text []byte
}

// Goroutine returns files with which package container/ring of the program has a
// function
//
//	func Goroutine() uintptr
//
// that identifies the calling goroutine as long as it lives. It needs assembly, which
// go build accepts only in folders that exist, and none may be made in the user's
// source; package ring is the smallest of the standard library and depends on
// nothing, so that little is compiled anew.
func Goroutine() []File {
	const dir = "goroutine/"
	entries, err := goroutine.ReadDir("goroutine")
	if err != nil {
		panic("instrument: " + err.Error()) // it is compiled in
	}
	var files []File
	for _, e := range entries {
		text, err := goroutine.ReadFile(dir + e.Name())
		if err != nil {
			panic("instrument: " + err.Error())
		}
		files = append(files, File{"container/ring/" + strings.TrimSuffix(e.Name(), ".txt"), text})
	}
	return files
}
