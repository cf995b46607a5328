// Calling contexts without frame pointers. The first time that an operation is executed in a context it is unwound,
// which takes some microseconds. Where the return addresses lay on the stack is remembered: code has frames of a fixed
// size, so the next time it is enough to look whether they lie there again. Each is looked at only when the one
// before it is right, so that what is read is always a frame that exists.
#include "recorder.h"
#include <fcntl.h>
#include <dlfcn.h>
#include <limits.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>
#include <unwind.h>

enum {
	BUCKETS = 4096,
	FARTHEST = 1 << 20, // bytes of stack between two frames
	MOST_ALIKE = 256,   // contexts of one operation; what is executed in others is not told apart by its callers
};
static struct known *buckets[BUCKETS];
static struct known *arena;
static int verifying; // TIERSCOPE_VERIFY: unwinds every time, to see how often a context is wrong

struct walk {
	uint64_t ip[DEPTH], frame[DEPTH];
	int n, skipping;
};

static _Unwind_Reason_Code step(struct _Unwind_Context *c, void *arg) {
	struct walk *w = arg;
	uint64_t ip = _Unwind_GetIP(c);
	if (w->skipping) {
		if (ip != w->ip[0]) return _URC_NO_REASON;
		w->skipping = 0;
	}
	if (!ip) return _URC_END_OF_STACK;
	w->ip[w->n] = ip;
	w->frame[w->n] = _Unwind_GetCFA(c); // the stack pointer when this frame called the one before
	return ++w->n == DEPTH ? _URC_END_OF_STACK : _URC_NO_REASON;
}

static void unwind(struct walk *w, uint64_t from) {
	w->n = 0;
	w->skipping = 1;
	w->ip[0] = from;
	_Unwind_Backtrace(step, w);
	if (!w->n) w->n = 1; // from stands there already
}

// unwindFrom fills a context with the calls that led to an address; a sample's.
int unwindFrom(uint64_t from, struct context *c) {
	struct walk w;
	unwind(&w, from);
	memcpy(c->ip, w.ip, sizeof w.ip);
	c->n = w.n;
	return w.n;
}

// Return addresses that are muted, as file and offset, of an earlier run.
static struct { char file[256]; uint64_t offset; } *muted;
static int mutes;

static int isMuted(uint64_t ip) {
	Dl_info d;
	char path[PATH_MAX];
	if (!mutes || !dladdr((void *)ip, &d) || !d.dli_fname) return 0;
	const char *name = realpath(d.dli_fname, path) ? path : d.dli_fname; // as /proc/self/maps has it: libraries are loaded by links
	const char *base = strrchr(name, '/');
	base = base ? base + 1 : name;
	for (int i = 0; i < mutes; i++)
		if (muted[i].offset == ip - (uint64_t)d.dli_fbase && !strcmp(muted[i].file, base)) return 1;
	return 0;
}

void startContexts(const char *mute) {
	arena = mmap(0, CONTEXTS * sizeof *arena, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (arena == MAP_FAILED) arena = 0;
	verifying = getenv("TIERSCOPE_VERIFY") != 0;
	struct walk w;
	unwind(&w, 0); // loads what it needs now
	FILE *f = mute ? fopen(mute, "re") : 0;
	if (!f) return;
	enum { MOST = 4096 };
	muted = mmap(0, MOST * sizeof *muted, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	while (muted != MAP_FAILED && mutes < MOST && fscanf(f, "%lx %255[^\n]", &muted[mutes].offset, muted[mutes].file) == 2) mutes++;
	fclose(f);
}

// noteStack remembers where the stack of this thread ends.
void noteStack(void) {
	int main = file->main == me.id;
	me.top = main ? (char *)getauxval(AT_EXECFN) : (char *)__builtin_thread_pointer();
}

// reach is how many bytes from a frame on can be read for certain.
static inline int64_t reach(char *frame) {
	if (LIKELY(frame < me.top && me.top - frame < 1 << 30)) return me.top - frame - (int64_t)sizeof(uint64_t);
	return PAGE - ((uint64_t)frame & (PAGE - 1)) - sizeof(uint64_t); // a coroutine's stack: to the end of the page
}

static int libraries(struct dl_phdr_info *i, size_t size, void *arg) {
	(void)size;
	*(unsigned long long *)arg = i->dlpi_adds + i->dlpi_subs;
	return 1;
}

// place finds where between two frames a return address lies; −1: it does not.
static int64_t place(const struct walk *w, int i, char *frame) {
	uint64_t from = w->frame[i - 1], to = w->frame[i];
	if (CALL_SLOT) return to > from && *(uint64_t *)(to - CALL_SLOT) == w->ip[i] ? (char *)to - CALL_SLOT - frame : -1;
	for (uint64_t at = from; at + 8 <= to && to - from < FARTHEST; at += 8)
		if (*(uint64_t *)at == w->ip[i]) return (char *)at - frame;
	return -1;
}

// recurs reports whether a call was made from where one further in was: of a function that calls itself, how deep it is is not told apart.
static int recurs(const struct walk *w, uint32_t i) {
	for (uint32_t k = 0; k < i; k++)
		if (w->ip[k] == w->ip[i]) return 1;
	return 0;
}

static struct known none = {.n = 1}; // no room: operations without a context

static struct known *newContext(uint64_t from, char *frame, struct known **bucket, int alike) {
	if (!arena || __atomic_load_n(&file->contexts, __ATOMIC_RELAXED) + 1 >= CONTEXTS) {
		__atomic_fetch_add(&file->lost, 1, __ATOMIC_RELAXED);
		return &none;
	}
	static unsigned long long loaded;
	unsigned long long now = 0;
	dl_iterate_phdr(libraries, &now);
	if (__atomic_exchange_n(&loaded, now, __ATOMIC_RELAXED) != now) noteMaps();
	struct walk w;
	unwind(&w, from);
	__atomic_fetch_add(&file->unwound, 1, __ATOMIC_RELAXED);
	uint64_t id = __atomic_add_fetch(&file->contexts, 1, __ATOMIC_RELAXED);
	if (id >= CONTEXTS) {
		__atomic_fetch_add(&file->lost, 1, __ATOMIC_RELAXED);
		return &none;
	}
	struct known *k = &arena[id];
	k->id = id;
	k->ip[0] = from;
	k->muted = isMuted(from);
	k->fitsAll = alike >= MOST_ALIKE;
	for (k->n = 1; k->n < (uint32_t)w.n && !k->muted && !k->fitsAll && !recurs(&w, k->n - 1); k->n++) {
		int64_t d = place(&w, k->n, frame);
		if (d < 0 || d > FARTHEST * DEPTH) break; // of a frame whose size is not fixed: it and its callers are not told apart
		k->ip[k->n] = w.ip[k->n];
		k->at[k->n] = d;
	}
	struct context *c = (struct context *)((char *)file + PAGE) + id;
	memcpy(c->ip, k->ip, sizeof c->ip);
	__atomic_store_n(&c->n, k->n, __ATOMIC_RELEASE);
	// Behind those that are known: one without callers fits all.
	for (struct known *last = 0; !__atomic_compare_exchange_n(bucket, &last, k, 0, __ATOMIC_RELEASE, __ATOMIC_ACQUIRE); last = 0) bucket = &last->next;
	return k;
}

static void verify(const struct known *k) {
	struct walk w;
	unwind(&w, k->ip[0]);
	__atomic_fetch_add(&file->checked, 1, __ATOMIC_RELAXED);
	if (w.n < (int)k->n || memcmp(w.ip, k->ip, k->n * sizeof w.ip[0])) __atomic_fetch_add(&file->wrong, 1, __ATOMIC_RELAXED);
}

// fits reports whether the callers of a context lie on the stack.
static inline int fits(const struct known *k, uint64_t from, const char *frame, int64_t end) {
	if (k->ip[0] != from) return 0;
	uint32_t i = 1;
	while (i < k->n && k->at[i] <= end && *(uint64_t *)(frame + k->at[i]) == k->ip[i]) i++;
	return i >= k->n;
}

struct known *contextOf(uint64_t from, char *frame) {
	if (UNLIKELY(me.next == me.past) && __atomic_load_n(&file->full, __ATOMIC_RELAXED)) return &none; // nor room for a record
	uint64_t hash = from * 0x9E3779B97F4A7C15ull >> 52;
	struct known **bucket = &buckets[hash], **recent = &me.recent[hash % RECENT];
	int64_t end = reach(frame);
	int alike = 0;
	struct known *k = *recent;
	if (!k || !fits(k, from, frame, end)) {
		for (k = __atomic_load_n(bucket, __ATOMIC_ACQUIRE); k && !fits(k, from, frame, end); k = k->next) alike += k->ip[0] == from;
		if (!k) return newContext(from, frame, bucket, alike);
		if (!k->fitsAll) *recent = k;
	}
	if (UNLIKELY(verifying)) verify(k);
	return k;
}
