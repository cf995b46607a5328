package core

import (
	"fmt"
	"io"
)

// Bounds of what is read, so that a file that has no end, or that was made to fill the
// memory, is an error: some hundred times what analyses of real programs leave.
const (
	mostDocument   = 128 << 20 // bytes of a JSON document
	mostLaw        = 1_000_000 // values of one distribution
	mostParameters = 10_000    // of a model
)

// ReadBounded reads everything, or fails if that is more than most bytes.
func ReadBounded(r io.Reader, most int64) ([]byte, error) {
	return io.ReadAll(Bounded(r, most))
}

// Bounded reads what r does, and fails after most bytes. It reads no more than one byte too many.
func Bounded(r io.Reader, most int64) io.Reader {
	return &bounded{io.LimitedReader{R: r, N: most + 1}, most}
}

type bounded struct {
	io.LimitedReader
	most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	n, err := b.LimitedReader.Read(p)
	if b.N == 0 {
		err = fmt.Errorf("is larger than %d MB, which no file of its kind is; is it the right one?", b.most>>20)
	}
	return n, err
}
