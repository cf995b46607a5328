package diskio

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
)

// Import reads a log of disk requests that another program has recorded: binary
// files of blktrace, one per CPU, or one text file of blkparse, perf script or
// the kernel's trace, told apart by their content.
func Import(paths ...string) (Log, error) {
	var files []io.Reader
	binary := false
	for _, path := range paths {
		f, err := os.Open(path)
		if err != nil {
			return Log{}, err
		}
		defer f.Close()
		b := bufio.NewReader(f)
		head, err := b.Peek(4)
		if err != nil && !errors.Is(err, io.EOF) {
			return Log{}, fmt.Errorf("%s: %w", path, err)
		}
		// "ae" of the magic number in either byte order
		binary = binary || len(head) == 4 && (head[3] == 0x65 && head[2] == 0x61 || head[0] == 0x65 && head[1] == 0x61 && head[2] == 0x74)
		files = append(files, b)
	}
	switch {
	case binary:
		return ReadBlktrace(files...)
	case len(files) != 1:
		return Log{}, fmt.Errorf("%s: give one text file, or the binary files of blktrace", strings.Join(paths, ", "))
	}
	return readText(paths[0], files[0])
}

// readText reads a text by the parser that its lines fit.
func readText(path string, r io.Reader) (Log, error) {
	parse := func(line string) (event, bool) {
		if strings.Contains(line, "block_") {
			return parsePerf(line)
		}
		return parseBlkparse(line)
	}
	log, err := readLines(r, path, "that of the file", parse)
	if err != nil {
		return log, fmt.Errorf("%w; it must be a text of blkparse, perf script or the kernel's trace", err)
	}
	return log, nil
}
