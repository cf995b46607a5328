// The functions of the C library that we stand in for. dlsym writes a message into the program's heap where there is none, after which
// memory that the program asks for lies elsewhere, and its threads share other lines of the cache: so libraries are asked first.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "recorder.h"

extern struct real __start_reals[], __stop_reals[];

struct wanted {
	const char *name;
	uint32_t hash;
	int found;
};

static uint32_t hashOf(const char *name) { // of DT_GNU_HASH
	uint32_t h = 5381;
	for (; *name; name++) h = h * 33 + (unsigned char)*name;
	return h;
}

static int defines(const struct wanted *w, const uint32_t *h, const ElfW(Sym) *symbols, const char *strings) {
	uint32_t first = h[1], n = h[0];
	const uint32_t *buckets = (const uint32_t *)((const ElfW(Addr) *)(h + 4) + h[2]), *chain = buckets + n;
	uint32_t i = n ? buckets[w->hash % n] : 0;
	if (i < first || !i) return 0;
	for (;; i++) {
		uint32_t x = chain[i - first];
		if ((x | 1) == (w->hash | 1) && symbols[i].st_shndx != SHN_UNDEF && !strcmp(strings + symbols[i].st_name, w->name)) return 1;
		if (x & 1) return 0;
	}
}

// look is whether a library has it, other than the program (""), the kernel's (whose addresses are not relocated), and this one.
static int look(struct dl_phdr_info *i, size_t size, void *arg) {
	struct wanted *w = arg;
	const ElfW(Dyn) *d = 0;
	(void)size;
	if (!*i->dlpi_name || strstr(i->dlpi_name, "vdso")) return 0;
	for (int k = 0; k < i->dlpi_phnum; k++) {
		const ElfW(Phdr) *p = &i->dlpi_phdr[k];
		ElfW(Addr) begin = i->dlpi_addr + p->p_vaddr;
		if (p->p_type == PT_LOAD && (ElfW(Addr))look >= begin && (ElfW(Addr))look < begin + p->p_memsz) return 0;
		if (p->p_type == PT_DYNAMIC) d = (const ElfW(Dyn) *)begin;
	}
	const uint32_t *hash = 0;
	const ElfW(Sym) *symbols = 0;
	const char *strings = 0;
	for (; d && d->d_tag != DT_NULL; d++) {
		ElfW(Addr) at = d->d_un.d_ptr < i->dlpi_addr ? d->d_un.d_ptr + i->dlpi_addr : d->d_un.d_ptr; // not relocated by every C library
		if (d->d_tag == DT_GNU_HASH) hash = (const uint32_t *)at;
		if (d->d_tag == DT_SYMTAB) symbols = (const ElfW(Sym) *)at;
		if (d->d_tag == DT_STRTAB) strings = (const char *)at;
	}
	return w->found = symbols && strings && (!hash || defines(w, hash, symbols, strings)); // without such a table it may
}

static void *find(const char *name) {
	struct wanted w = {name, hashOf(name), 0};
	dl_iterate_phdr(look, &w);
	if (!w.found) return 0;
	void *f = 0;
#ifdef __x86_64__ // conditions that can be timed by another clock: of those with several versions, dlsym gives the oldest in some releases
	if (!strncmp(name, "pthread_cond_", 13) && strcmp(name, "pthread_cond_clockwait")) f = dlvsym(RTLD_NEXT, name, "GLIBC_2.3.2");
#endif
	return f ? f : dlsym(RTLD_NEXT, name);
}

// resolve looks up what was not there yet when the program began.
void *resolve(const char *name, void **where) {
	void *f = find(name);
	if (!f) { // the program uses what its own libraries do not have
		static const char text[] = "tierscope: a function of the C library is missing: ";
		(void)!write(2, text, sizeof text - 1);
		(void)!write(2, name, strlen(name));
		(void)!write(2, "\n", 1);
		abort();
	}
	return *where = f;
}

void resolveAll(void) {
	for (struct real *r = __start_reals; r < __stop_reals; r++) *r->where = find(r->name);
}
