// Files: operations that may have to wait for a disk.
#include "recorder.h"
#include "descriptors.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static uint8_t kinds[1 << 16]; // by descriptor
int kindOf(int fd) {
	struct stat s;
	if ((unsigned)fd >= sizeof kinds) return FD_OTHER;
	if (!kinds[fd]) {
		int err = errno, inside = me.inside;
		me.inside = 1;
		kinds[fd] = fstat(fd, &s) ? FD_OTHER : S_ISREG(s.st_mode) || S_ISDIR(s.st_mode) || S_ISBLK(s.st_mode) ? FD_FILE
			: S_ISSOCK(s.st_mode) ? FD_SOCKET : S_ISFIFO(s.st_mode) ? FD_PIPE : FD_OTHER;
		me.inside = inside;
		errno = err;
	}
	return kinds[fd];
}
void forget(int fd) {
	if ((unsigned)fd < sizeof kinds) kinds[fd] = FD_UNKNOWN;
}

void noteBlocks(void) {
	struct rusage u;
	int err = errno;
	if (!getrusage(RUSAGE_THREAD, &u)) me.blocks = u.ru_inblock;
	errno = err;
}

// An operation on a file: what it caused to be read from disks, in blocks of 512 bytes, is a record of its own after it.
#define READS(ret, name, params, args, op, object, arg, result) \
	STANDS_FOR(name) \
	EXPORT ret name params { \
		if (OFF) return REAL(name) args; \
		uint64_t before = me.blocks; \
		ret r = AROUND(op, object, arg, ret, FROM_DISK(ret, REAL(name) args), result); \
		if (UNLIKELY(me.blocks != before)) put(OP_BLOCKS | BOTH, 0, 0, me.blocks - before); \
		return r; \
	}

READS(ssize_t, read, (int f, void *b, size_t n), (f, b, n), BY_KIND(f, OP_FILE_READ, OP_NET_READ), DESCRIPTOR(f), n, v)
READS(ssize_t, pread, (int f, void *b, size_t n, off_t o), (f, b, n, o), OP_FILE_READ, DESCRIPTOR(f), n, v)
READS(ssize_t, pread64, (int f, void *b, size_t n, off64_t o), (f, b, n, o), OP_FILE_READ, DESCRIPTOR(f), n, v)
READS(ssize_t, readv, (int f, const struct iovec *b, int n), (f, b, n), BY_KIND(f, OP_FILE_READ, OP_NET_READ), DESCRIPTOR(f), n, v)
READS(ssize_t, preadv, (int f, const struct iovec *b, int n, off_t o), (f, b, n, o), OP_FILE_READ, DESCRIPTOR(f), n, v)
READS(int, stat, (const char *p, struct stat *s), (p, s), OP_STAT, 0, 0, v)
READS(int, stat64, (const char *p, struct stat64 *s), (p, s), OP_STAT, 0, 0, v)
READS(int, lstat, (const char *p, struct stat *s), (p, s), OP_STAT, 0, 0, v)
READS(int, lstat64, (const char *p, struct stat64 *s), (p, s), OP_STAT, 0, 0, v)
READS(int, fstatat, (int d, const char *p, struct stat *s, int g), (d, p, s, g), OP_STAT, 0, 0, v)
READS(int, fstatat64, (int d, const char *p, struct stat64 *s, int g), (d, p, s, g), OP_STAT, 0, 0, v)
READS(int, access, (const char *p, int m), (p, m), OP_STAT, 0, 0, v)
OPERATION(ssize_t, write, (int f, const void *b, size_t n), (f, b, n), BY_KIND(f, OP_FILE_WRITE, OP_NET_WRITE), DESCRIPTOR(f), n, v)
OPERATION(ssize_t, writev, (int f, const struct iovec *b, int n), (f, b, n), BY_KIND(f, OP_FILE_WRITE, OP_NET_WRITE), DESCRIPTOR(f), n, v)
OPERATION(ssize_t, pwrite, (int f, const void *b, size_t n, off_t o), (f, b, n, o), OP_FILE_WRITE, DESCRIPTOR(f), n, v)
OPERATION(ssize_t, pwrite64, (int f, const void *b, size_t n, off64_t o), (f, b, n, o), OP_FILE_WRITE, DESCRIPTOR(f), n, v)
OPERATION(ssize_t, pwritev, (int f, const struct iovec *b, int n, off_t o), (f, b, n, o), OP_FILE_WRITE, DESCRIPTOR(f), n, v)
OPERATION(int, fsync, (int f), (f), OP_FILE_SYNC, DESCRIPTOR(f), 0, v)
OPERATION(int, fdatasync, (int f), (f), OP_FILE_SYNC, DESCRIPTOR(f), 0, v)
OPERATION(int, msync, (void *p, size_t n, int g), (p, n, g), OP_FILE_SYNC, 0, 0, v)
OPERATION(ssize_t, sendfile, (int o, int i, off_t *f, size_t n), (o, i, f, n), OP_FILE_SEND, DESCRIPTOR(i), n, v)
OPERATION(ssize_t, sendfile64, (int o, int i, off64_t *f, size_t n), (o, i, f, n), OP_FILE_SEND, DESCRIPTOR(i), n, v)
OPERATION(int, unlink, (const char *p), (p), OP_FILE_CHANGE, 0, 0, v)
OPERATION(int, rename, (const char *p, const char *q), (p, q), OP_FILE_CHANGE, 0, 0, v)
OPERATION(int, mkdir, (const char *p, mode_t m), (p, m), OP_FILE_CHANGE, 0, 0, v)
OPERATION(DIR *, opendir, (const char *p), (p), OP_READ_DIR, 0, 0, v != 0)

// close is of the kind that the descriptor was; a thread that makes a new one meanwhile must find no kind.
STANDS_FOR(close)
EXPORT int close(int f) {
	if (OFF) {
		forget(f);
		return REAL(close)(f);
	}
	uint64_t d = DESCRIPTOR(f);
	forget(f);
	return AROUND(d >> 32 == FD_SOCKET ? OP_NET_CLOSE : OP_FILE_CLOSE, d, 0, int, REAL(close)(f), v);
}

#define MODE int mode = 0; \
	if (flags & (O_CREAT | O_TMPFILE)) { \
		va_list l; \
		va_start(l, flags); \
		mode = va_arg(l, int); \
		va_end(l); \
	}
#define OPENS(name, params, args) \
	STANDS_FOR(name) \
	EXPORT int name params { \
		MODE \
		if (OFF) return REAL(name) args; \
		uint64_t before = me.blocks; \
		int r = AROUND(OP_OPEN, 0, 0, int, FROM_DISK(int, REAL(name) args), v); \
		forget(r); \
		if (UNLIKELY(me.blocks != before)) put(OP_BLOCKS | BOTH, 0, 0, me.blocks - before); \
		return r; \
	}
OPENS(open, (const char *p, int flags, ...), (p, flags, mode))
OPENS(open64, (const char *p, int flags, ...), (p, flags, mode))
OPENS(openat, (int d, const char *p, int flags, ...), (d, p, flags, mode))
OPENS(openat64, (int d, const char *p, int flags, ...), (d, p, flags, mode))

// Descriptors that are made or replaced otherwise.
#define REPLACES(ret, name, params, args, fd) \
	STANDS_FOR(name) \
	EXPORT ret name params { \
		ret v = REAL(name) args; \
		forget(fd); \
		return v; \
	}
REPLACES(int, dup, (int f), (f), v)
REPLACES(int, dup2, (int f, int g), (f, g), g)
REPLACES(int, dup3, (int f, int g, int c), (f, g, c), g)
