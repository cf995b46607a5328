//go:build linux && !amd64

package diskio

// ownCalls are system calls under the number that newer architectures share
// (asm-generic/unistd.h).
var ownCalls = map[uint32]string{79: "newfstatat"}
