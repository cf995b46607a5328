package experiment

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"tierscope/core"
)

// RunFormat is the file format of one line of a ledger that is a file of JSON lines.
var RunFormat = core.Format{Name: "tierscope-run", Version: 1}

// migrate takes the runs of a file of JSON lines over into the folder of a ledger. The file gets another name
// once all of them are there, and can be removed; if something goes wrong before, nothing has changed.
func migrate(file, dir string) error {
	lines, err := os.Open(file)
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer lines.Close()
	name := filepath.Join(dir, "migrated"+segmentSuffix)
	temporary := name + ".new"
	if err := os.Remove(temporary); err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	s, err := createSegment(temporary)
	if err != nil {
		return err
	}
	defer s.file.Close()
	r := bufio.NewReaderSize(lines, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		var run Run
		if RunFormat.Unmarshal(line, &run) == nil && run.Result != nil && run.ID != "" { // others were skipped before, too
			if err := s.append(run); err != nil {
				return err
			}
			if err := s.read(func(int64, int, header) {}); err != nil {
				return err
			}
		}
		if err != nil {
			break
		}
	}
	if err := s.file.Sync(); err != nil {
		return err
	}
	if err := os.Rename(temporary, name); err != nil {
		return err
	}
	if err := os.Rename(file, file+migratedName); err != nil {
		return fmt.Errorf("%s was taken over: %w", file, err)
	}
	return nil
}
