// What a file descriptor is, asked once while it is open. An object of the recording is its number and kind.
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H
#include <stdint.h>
enum { FD_UNKNOWN, FD_FILE, FD_SOCKET, FD_PIPE, FD_OTHER };
int kindOf(int fd);
void forget(int fd); // it was closed, or is another one now
#define DESCRIPTOR(fd) ((uint64_t)(uint32_t)(fd) | (uint64_t)kindOf(fd) << 32)
#define BY_KIND(fd, onFile, onSocket) (kindOf(fd) == FD_SOCKET ? (onSocket) : (onFile))

// A disk has read something for a thread only where an operation took this long: then the kernel is asked how much.
void noteBlocks(void);
enum { SLOW = 20000 }; // ns; the page cache needs 1 to 10 µs for 64 kB
#define FROM_DISK(type, call) ({ \
	uint64_t began_ = ticks(); \
	type w_ = call; \
	if ((ticks() - began_) * file->perTick > SLOW) noteBlocks(); \
	w_; })
#endif
