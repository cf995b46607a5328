// The recording: who records, where, and how it begins and ends.
#include "recorder.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

struct head *file;
int on;
__thread struct thread me;
static char mapsName[PAGE]; // a copy: programs write over their environment

int newChunk(void) {
	uint64_t at = __atomic_fetch_add(&file->next, CHUNK, __ATOMIC_RELAXED);
	if (at + CHUNK > file->size) {
		__atomic_fetch_add(&file->full, 1, __ATOMIC_RELAXED);
		me.next = me.past = 0;
		return 0;
	}
	struct chunk *c = (struct chunk *)((char *)file + at);
	if (!me.os) me.os = syscall(SYS_gettid);
	c->thread = me.id;
	c->os = me.os;
	c->mono = nanoseconds(CLOCK_MONOTONIC);
	c->ticks = ticks();
	me.next = c->records;
	me.past = c->records + PER_CHUNK;
	return 1;
}

// noteMaps adds the address space to the file of them: at the start and when a library was loaded.
void noteMaps(void) {
	int in = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), out = open(mapsName, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	char b[4096];
	ssize_t n;
	while (in >= 0 && out >= 0 && (n = read(in, b, sizeof b)) > 0 && write(out, b, n) == n) {}
	if (in >= 0) close(in);
	if (out >= 0) close(out);
}

// A child has a part in the program's work that is not seen; it must not write to what its parent writes to.
static void child(void) {
	if (on) __atomic_fetch_add(&file->children, 1, __ATOMIC_RELAXED);
	on = 0;
}

// meant reports whether this process is the one to record, and not a shell or a wrapper around it.
static int meant(void) {
	const char *only = getenv("TIERSCOPE_PROGRAM");
	char exe[PAGE];
	ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
	if (n < 0 || !only) return 0;
	exe[n] = 0;
	return !strcmp(exe, only);
}

// claim makes this process the one of the recording. Another process of the program finds it taken; the same one, after
// it has put itself in its own place, begins anew.
static int claim(void) {
	uint32_t none = 0, self = getpid();
	if (__atomic_compare_exchange_n(&file->pid, &none, self, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) return 1;
	if (none != self) return 0;
	uint64_t execs = file->execs + 1, next = file->next;
	memset((char *)file + sizeof file->magic, 0, HEAD - sizeof file->magic);
	memset((char *)file + HEAD, 0, next > file->size ? 0 : next - HEAD);
	file->pid = self;
	file->execs = execs;
	return 1;
}

// measure finds out what a record costs, in ns: the least of some tries.
static __attribute__((noinline)) void one(void) { put(OP_UNLOCK, HERE->id, 0, 0); }
static void measure(void) {
	enum { TRIES = 5 };
	file->cost = 1e9;
	for (int i = 0; i < TRIES; i++) {
		me.next = me.past = 0;
		if (!newChunk()) return;
		struct record *first = me.next;
		int n = PER_CHUNK;
		uint64_t t = ticks();
		for (int k = 0; k < n; k++) one();
		double cost = (ticks() - t) * file->perTick / n;
		if (cost < file->cost) file->cost = cost;
		memset(first, 0, n * sizeof *first);
		file->next -= CHUNK;
	}
	memset((char *)file + file->next, 0, sizeof(struct chunk));
	me.next = me.past = 0;
}

static int map(const char *name) {
	int fd = open(name, O_RDWR | O_CLOEXEC);
	if (fd < 0) return 0;
	off_t size = lseek(fd, 0, SEEK_END);
	file = size < (off_t)HEAD + CHUNK ? MAP_FAILED : mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (file == MAP_FAILED) return 0;
	if (!claim()) {
		munmap(file, size);
		return 0;
	}
	file->size = size;
	file->next = HEAD;
	return 1;
}

// replaced notes that the program put another one in its place: what was started is a wrapper.
static void replaced(const char *name) {
	int fd = open(name, O_RDWR | O_CLOEXEC);
	struct head *h = fd < 0 ? MAP_FAILED : mmap(0, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (fd >= 0) close(fd);
	if (h == MAP_FAILED) return;
	if (h->pid == (uint32_t)getpid()) h->replaced++;
	munmap(h, PAGE);
}

__attribute__((constructor)) static void start(void) {
	resolveAll();
	const char *name = getenv("TIERSCOPE_RECORDING"), *maps = getenv("TIERSCOPE_MAPS");
	if (!name || !maps || strlen(maps) >= sizeof mapsName) return;
	if (!meant()) {
		replaced(name);
		return;
	}
	if (!map(name)) return;
	strcpy(mapsName, maps);
	me.inside = 1;
	startClock();
	file->main = me.id = 1;
	noteStack();
	startContexts(getenv("TIERSCOPE_MUTE"));
	measure();
	pthread_atfork(0, 0, child);
	noteMaps();
	file->version = VERSION;
	file->startCPU = nanoseconds(CLOCK_PROCESS_CPUTIME_ID);
	on = 1;
	put(OP_THREAD_BEGIN | BOTH, 0, 0, 0);
	startSampling();
	sampleThread();
	memcpy(file->magic, "TIERREC", 8);
	me.inside = 0;
}

// What a thread computes after its last operation is known by the record of its end.
static void end(void) {
	if (!on || me.ended || !me.id) return;
	put(OP_THREAD_END | BOTH, 0, 0, 1);
	me.ended = 1;
}
__attribute__((destructor)) static void finish(void) { end(); }

STANDS_FOR(_exit)
EXPORT void _exit(int status) {
	end();
	REAL(_exit)(status);
	__builtin_unreachable();
}
STANDS_FOR(_Exit)
EXPORT void _Exit(int status) {
	end();
	REAL(_Exit)(status);
	__builtin_unreachable();
}
