package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"tierscope/analysis/consent"
)

// consentFlags say that a project's own commands may be executed.
type consentFlags struct {
	given bool
	hosts []string
}

func (c *consentFlags) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.BoolVar(&c.given, "consent", false, "execute what the project says, and do not ask again until it says something else")
	f.StringArrayVar(&c.hosts, "load-host", nil, "`HOST` other than this machine that a load written in a project may be sent to; repeatable")
}

// ask returns nil if what a project wants to execute may be: if the user has agreed
// before, does so with the flags, or answers yes at a terminal.
func (c *consentFlags) ask(cmd *cobra.Command, t *terminal, r consent.Request) error {
	if r.Given() {
		return nil
	}
	says := fmt.Sprintf("%s wants to execute what nobody here has agreed to yet:\n  %s", r.Dir, strings.Join(r.Lines(), "\n  "))
	agreed := c.given
	if !agreed && isTerminal(t.err) {
		if in := cmd.InOrStdin(); isInput(in) {
			fmt.Fprintf(t.err, "%s\nExecute that, now and later? [y/N] ", says)
			answer, err := bufio.NewReader(in).ReadString('\n')
			if agreed = strings.EqualFold(strings.TrimSpace(answer), "y"); !agreed && err == nil {
				return exit(exitUsage, errors.New("nothing was executed"))
			}
		}
	}
	if !agreed {
		return exit(exitUsage, fmt.Errorf("%s\nif you trust that, give the command with --consent", says))
	}
	err := r.Give(c.hosts...)
	if remote, ok := errors.AsType[*consent.HostError](err); ok {
		return exit(exitUsage, fmt.Errorf("%w: --load-host %s", err, strings.Join(remote.Hosts, " --load-host ")))
	}
	if err != nil {
		fmt.Fprintln(t.err, "warning: you will be asked again:", err)
	}
	return nil
}

// isInput reports whether somebody can answer a question.
func isInput(in io.Reader) bool {
	w, ok := in.(io.Writer)
	return ok && isTerminal(w)
}

// typed keeps the consent of a user who has typed what is executed.
func typed(t *terminal, r consent.Request) {
	if err := r.Give(r.Remote()...); err != nil {
		fmt.Fprintln(t.err, "warning:", err)
	}
}
