// Package journal keeps what the finished runs of a study showed until the study is
// done: one that is cut off, by whatever means, goes on where it was.
//
// A journal is a file of JSON lines in the user's cache folder. Its name is the hash of
// what the study is about, so that the same command finds it and no other does. A run is
// added when it has ended, in one write; what a crash left of a line is no line. When the
// study is done the file is removed: the next study measures anew. While it is made nobody
// else can open its journal: runs of two at once would be those of neither.
package journal

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"tierscope/project"
)

// Journal is the finished runs of a study. The zero value keeps nothing.
type Journal struct {
	path   string
	file   *os.File
	unlock func()
	known  map[string]json.RawMessage
	mutex  sync.Mutex
	times  map[string]int // that a key was asked for
	made   int            // runs of this process
	taken  int            // and with those that were there
}

// entry is a line.
type entry struct {
	Key   string          `json:"key"`
	Value json.RawMessage `json:"value"`
}

// longest is how old a journal may be: machines do not stay the same.
const longest = 24 * time.Hour

// Open opens the journal of a study that is identified by texts: the command, the
// settings, the state of the program. It fails while another process makes the same study.
func Open(identity ...string) (*Journal, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	h := sha256.New()
	for _, text := range identity {
		fmt.Fprintf(h, "%d %s\n", len(text), text)
	}
	path := filepath.Join(cache, "tierscope", "runs", fmt.Sprintf("%x.jsonl", h.Sum(nil)[:12]))
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return nil, fmt.Errorf("journal: %w", err)
	}
	j := &Journal{path: path, known: map[string]json.RawMessage{}, times: map[string]int{}}
	forget(filepath.Dir(path))
	if j.unlock, err = project.Lock(path, "another study"); err != nil {
		if locked, ok := errors.AsType[*project.LockedError](err); ok {
			return nil, fmt.Errorf("the same study is made already, by %s; wait for its end, or stop it", locked.Owner)
		}
		return nil, fmt.Errorf("journal: %w", err)
	}
	if err := j.open(); err != nil {
		j.unlock()
		return nil, fmt.Errorf("journal: %w", err)
	}
	return j, nil
}

// open reads what is known and opens the file for more.
func (j *Journal) open() error {
	whole, err := j.read()
	if err != nil {
		return err
	}
	if j.file, err = os.OpenFile(j.path, os.O_CREATE|os.O_WRONLY, 0o600); err != nil {
		return err
	}
	// What a crash left of a line is overwritten.
	if err := j.file.Truncate(whole); err != nil {
		return errors.Join(err, j.file.Close())
	}
	if _, err := j.file.Seek(0, io.SeekEnd); err != nil {
		return errors.Join(err, j.file.Close())
	}
	return nil
}

// forget removes journals that are too old for any study, unless somebody is at them.
func forget(dir string) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, f := range files {
		info, err := f.Info()
		if err != nil || filepath.Ext(f.Name()) != ".jsonl" || time.Since(info.ModTime()) <= longest {
			continue
		}
		path := filepath.Join(dir, f.Name())
		if unlock, err := project.Lock(path, "another study"); err == nil {
			os.Remove(path) // another study may have done so
			unlock()
		}
	}
}

// read reads the whole lines and returns how many bytes they are.
func (j *Journal) read() (whole int64, err error) {
	data, err := os.ReadFile(j.path)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	in := bufio.NewReader(bytes.NewReader(data))
	for {
		line, err := in.ReadBytes('\n')
		var e entry
		if err != nil || json.Unmarshal(line, &e) != nil {
			return whole, nil
		}
		whole += int64(len(line))
		j.known[e.Key] = e.Value
	}
}

// Known is how many runs an earlier study left.
func (j *Journal) Known() int {
	if j == nil {
		return 0
	}
	return len(j.known)
}

// Made is how many runs were made since the journal was opened.
func (j *Journal) Made() int {
	if j == nil {
		return 0
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.made
}

// Taken is how many runs were asked for, whether they were made or there.
func (j *Journal) Taken() int {
	if j == nil {
		return 0
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	return j.taken
}

// Close keeps the file for another study of the same. After Finish it does nothing.
func (j *Journal) Close() error {
	if j == nil || j.unlock == nil {
		return nil
	}
	defer j.release()
	return j.file.Close()
}

// release lets others open the journal.
func (j *Journal) release() {
	j.unlock()
	j.unlock = nil
}

// Finish removes the file: the study is done.
func (j *Journal) Finish() error {
	if j == nil || j.unlock == nil {
		return nil
	}
	defer j.release()
	return errors.Join(j.file.Close(), os.Remove(j.path))
}

// Do returns what a run showed: from the journal, or by running it. Runs that fail are
// not kept. The same key stands for another run each time that it is asked for.
func Do[T any](j *Journal, key string, run func() (T, error)) (T, error) {
	if j == nil || j.unlock == nil {
		return run()
	}
	j.mutex.Lock()
	j.times[key]++
	key = fmt.Sprintf("%s #%d", key, j.times[key])
	known, ok := j.known[key]
	j.mutex.Unlock()
	var value T
	if ok && json.Unmarshal(known, &value) == nil {
		j.mutex.Lock()
		defer j.mutex.Unlock()
		j.taken++
		return value, nil
	}
	value, err := run()
	if err != nil {
		return value, err
	}
	data, err := json.Marshal(value)
	if err != nil {
		return value, fmt.Errorf("journal: %w", err)
	}
	line, err := json.Marshal(entry{key, data})
	if err != nil {
		return value, fmt.Errorf("journal: %w", err)
	}
	j.mutex.Lock()
	defer j.mutex.Unlock()
	j.made++
	j.taken++
	if _, err := j.file.Write(append(line, '\n')); err != nil {
		return value, fmt.Errorf("journal: the run cannot be kept: %w", err)
	}
	return value, nil
}
