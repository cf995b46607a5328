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

// ReadBounded reads everything, or fails if that is more than most bytes. It reads no
// more than one byte too many.
func ReadBounded(r io.Reader, most int64) ([]byte, error) {
	data, err := io.ReadAll(io.LimitReader(r, most+1))
	if err == nil && int64(len(data)) > most {
		err = fmt.Errorf("is larger than %d MB, which no file of its kind is; is it the right one?", most>>20)
	}
	return data, err
}
