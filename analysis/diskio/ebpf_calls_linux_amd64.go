package diskio

import "golang.org/x/sys/unix"

// ownCalls are system calls that only this architecture has, or under a number of
// its own.
var ownCalls = map[uint32]string{unix.SYS_OPEN: "open", unix.SYS_STAT: "stat", unix.SYS_LSTAT: "lstat", unix.SYS_NEWFSTATAT: "newfstatat"}
