// Standard I/O reads and writes inside the C library, where nothing can be put in between, and most calls only copy.
// Those that took long asked the kernel: they are recorded, afterwards.
#include "recorder.h"
#include "descriptors.h"
#include <stdio.h>
#undef fread_unlocked // macros, here and there
#undef fwrite_unlocked

enum { COPIES = 1500 }; // ns: a call that takes less only copies; a system call with data takes about as long

#define BUFFERED(ret, name, params, args, op, stream, result) \
	STANDS_FOR(name) \
	EXPORT ret name params { \
		if (OFF) return REAL(name) args; \
		me.inside = 1; \
		uint64_t began = ticks(), cpu = threadCPU(began); \
		ret v = REAL(name) args; \
		if (UNLIKELY((ticks() - began) * file->perTick > COPIES)) { \
			int err = errno; \
			struct known *at = HERE; \
			if (!at->muted) { \
				uint64_t d = DESCRIPTOR(fileno(stream)); \
				putAt(began, cpu, op, at->id, d, 0); \
				put((op) | END, at->id, d, result); \
			} \
			errno = err; \
		} \
		me.inside = 0; \
		return v; \
	}

BUFFERED(size_t, fread, (void *b, size_t s, size_t n, FILE *f), (b, s, n, f), OP_FILE_READ, f, v * s)
BUFFERED(size_t, fread_unlocked, (void *b, size_t s, size_t n, FILE *f), (b, s, n, f), OP_FILE_READ, f, v * s)
BUFFERED(char *, fgets, (char *b, int n, FILE *f), (b, n, f), OP_FILE_READ, f, v != 0)
BUFFERED(ssize_t, getline, (char **b, size_t *n, FILE *f), (b, n, f), OP_FILE_READ, f, v)
BUFFERED(size_t, fwrite, (const void *b, size_t s, size_t n, FILE *f), (b, s, n, f), OP_FILE_WRITE, f, v * s)
BUFFERED(size_t, fwrite_unlocked, (const void *b, size_t s, size_t n, FILE *f), (b, s, n, f), OP_FILE_WRITE, f, v * s)
BUFFERED(int, fputs, (const char *b, FILE *f), (b, f), OP_FILE_WRITE, f, v)
BUFFERED(int, fflush, (FILE *f), (f), OP_FILE_WRITE, f ? f : stdout, v)

STANDS_FOR(fopen)
EXPORT FILE *fopen(const char *p, const char *m) {
	if (OFF) return REAL(fopen)(p, m);
	FILE *f = AROUND(OP_OPEN, 0, 0, FILE *, REAL(fopen)(p, m), v ? fileno(v) : -1);
	if (f) forget(fileno(f));
	return f;
}
STANDS_FOR(fopen64)
EXPORT FILE *fopen64(const char *p, const char *m) {
	if (OFF) return REAL(fopen64)(p, m);
	FILE *f = AROUND(OP_OPEN, 0, 0, FILE *, REAL(fopen64)(p, m), v ? fileno(v) : -1);
	if (f) forget(fileno(f));
	return f;
}
STANDS_FOR(fclose)
EXPORT int fclose(FILE *f) {
	int fd = fileno(f);
	if (OFF) {
		forget(fd);
		return REAL(fclose)(f);
	}
	uint64_t d = DESCRIPTOR(fd);
	forget(fd);
	return AROUND(OP_FILE_CLOSE, d, 0, int, REAL(fclose)(f), v);
}
