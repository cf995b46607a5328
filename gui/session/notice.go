package session

import (
	"errors"
	"strings"

	"tierscope/gui/background"
)

// Level is how serious a notice is.
type Level string

// Levels.
const (
	Info    Level = "info"
	Warning Level = "warning"
	Problem Level = "problem"
)

// Notice is a message of the banner: what happened, why, what you can do,
// details.
type Notice struct {
	Level   Level
	What    string // one sentence
	Why     string // one sentence, may be empty
	Action  string // word of the button, "" for none
	Do      func() // what the button does
	Details string // for copying into a report
}

// Notify shows a notice in the banner.
func (s *Session) Notify(n Notice) {
	s.notice = &n
	s.emit(NoticeChanged)
}

// Notice returns the notice to show, nil if there is none.
func (s *Session) Notice() *Notice { return s.notice }

// Dismiss takes the notice away.
func (s *Session) Dismiss() {
	if s.notice != nil {
		s.notice = nil
		s.emit(NoticeChanged)
	}
}

// Failure makes a notice of an error: its first line is the reason, all of it
// (and the stack of an internal error) the details.
func Failure(what string, err error) Notice {
	text := err.Error()
	first, _, more := strings.Cut(text, "\n")
	if more {
		first += " …"
	}
	n := Notice{Level: Problem, What: what, Why: first, Details: what + "\n" + text}
	if p, ok := errors.AsType[*background.PanicError](err); ok {
		n.Details += "\n" + string(p.Stack)
	}
	return n
}
