// Probes that a programmer put into the source (tierscope.h). Names are written once, where they are first used.
#include "recorder.h"
#include <string.h>

enum { NAMES = 1 << 12, PIECE = sizeof(int64_t) };
static const char *names[NAMES];

void noteName(const char *name) {
	for (uint32_t i = (uint64_t)(uintptr_t)name * 0x9E3779B97F4A7C15ull >> 52, tries = 0; tries < NAMES; i = (i + 1) % NAMES, tries++) {
		const char *none = 0;
		if (__atomic_load_n(&names[i], __ATOMIC_RELAXED) == name) return;
		if (!__atomic_compare_exchange_n(&names[i], &none, name, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
			if (none == name) return;
			continue;
		}
		size_t n = strlen(name) + 1;
		for (size_t at = 0; at < n; at += PIECE) {
			int64_t piece = 0;
			memcpy(&piece, name + at, n - at < PIECE ? n - at : PIECE);
			put(OP_NAME | BOTH, 0, OBJECT(name), piece);
		}
		return;
	}
}

enum { NAMED = 8 }; // of what is marked: object is a name
EXPORT void tierscope_mark(int what, const void *object, int64_t value);
EXPORT void tierscope_mark(int what, const void *object, int64_t value) {
	if (OFF) return;
	me.inside = 1;
	struct known *at = HERE;
	if (!at->muted) {
		if (what & NAMED) noteName(object);
		put((OP_PROBE + what) | BOTH, at->id, OBJECT(object), value);
	}
	me.inside = 0;
}
