package execution

import (
	"context"
	"fmt"
	"os"
	"time"

	"tierscope/project/scratch"
)

// Finish runs a program to its end and returns how that went and what it wrote
// to standard output and standard error, in one. A program that fails is an
// error that quotes the end of what it wrote, and so is one that has to be
// stopped after the timeout; the outcome says which. Messages need not be set.
func (p Program) Finish(ctx context.Context, timeout time.Duration) (Outcome, []byte, error) {
	f, err := os.CreateTemp("", scratch.Name("", "tierscope-output-"))
	if err != nil {
		return Outcome{}, nil, fmt.Errorf("run: %w", err)
	}
	f.Close()
	defer os.Remove(f.Name())
	p.Messages, p.together = f.Name(), true
	r, err := p.Start()
	if err != nil {
		return Outcome{}, nil, err
	}
	beside := make(chan struct{})
	go func() {
		defer close(beside)
		if p.Beside != nil {
			p.Beside(r.PID(), r.Done())
		}
	}()
	o, err := r.Batch(ctx, timeout, nil)
	<-beside
	if err != nil {
		return Outcome{}, nil, err
	}
	if o.Stopped {
		return o, nil, fmt.Errorf("the program did not end within %v and was stopped; %s", timeout, r.messages())
	}
	output, err := os.ReadFile(f.Name())
	if err != nil {
		return Outcome{}, nil, fmt.Errorf("run: %w", err)
	}
	return o, output, nil
}
