// Options that a program takes with a value, as it tells the C library: those that it is not given leave no other trace.
#include "recorder.h"
#include <getopt.h>

static void noteOption(const char *name, int64_t letter) {
	noteName(name);
	put(OP_OPTION | BOTH, 0, OBJECT(name), letter);
}

static void noteOptions(const char *letters, const struct option *names) {
	static int noted;
	if (OFF || __atomic_exchange_n(&noted, 1, __ATOMIC_RELAXED)) return;
	me.inside = 1;
	if (letters && *letters) noteOption(letters, -1);
	for (; names && names->name; names++)
		if (names->has_arg != no_argument) noteOption(names->name, names->flag || names->val < 0 || names->val > 127 ? 0 : names->val);
	me.inside = 0;
}

STANDS_FOR(getopt)
EXPORT int getopt(int n, char *const args[], const char *letters) {
	noteOptions(letters, 0);
	return REAL(getopt)(n, args, letters);
}
STANDS_FOR(getopt_long)
EXPORT int getopt_long(int n, char *const args[], const char *letters, const struct option *names, int *which) {
	noteOptions(letters, names);
	return REAL(getopt_long)(n, args, letters, names, which);
}
STANDS_FOR(getopt_long_only)
EXPORT int getopt_long_only(int n, char *const args[], const char *letters, const struct option *names, int *which) {
	noteOptions(letters, names);
	return REAL(getopt_long_only)(n, args, letters, names, which);
}
