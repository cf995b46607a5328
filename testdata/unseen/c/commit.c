/* commit - a log with group commit: clients put records into a list under a mutex; who finds nobody writing takes the
 * whole list, writes and syncs it, and wakes the others
 * usage: commit -c clients -n records -e effort */
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct rec { long id; char data[200]; int done; struct rec *next; };
static pthread_mutex_t mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t committed = PTHREAD_COND_INITIALIZER;
static struct rec *head, *tail;
static int writing, fd;
static long syncs, total = 3000;
static int clients = 4, effort = 1500;

static unsigned checksum(const char *p, size_t n, unsigned h) {
	for (int k = 0; k < effort; k++)
		for (size_t i = 0; i < n; i++) h = h * 16777619u ^ (unsigned char)p[i];
	return h;
}

static void commit(struct rec *r) {
	pthread_mutex_lock(&mu);
	r->next = NULL; r->done = 0;
	if (tail) tail->next = r; else head = r;
	tail = r;
	while (!r->done) {
		if (writing) { pthread_cond_wait(&committed, &mu); continue; }
		writing = 1;
		struct rec *batch = head;
		head = tail = NULL;
		pthread_mutex_unlock(&mu);
		for (struct rec *b = batch; b; b = b->next)
			if (write(fd, b->data, sizeof b->data) < 0) perror("write");
		fdatasync(fd);
		pthread_mutex_lock(&mu);
		syncs++;
		for (struct rec *b = batch, *n; b; b = n) { n = b->next; b->done = 1; }
		writing = 0;
		pthread_cond_broadcast(&committed);
	}
	pthread_mutex_unlock(&mu);
}

static void *client(void *arg) {
	long id = (long)arg;
	struct rec r;
	for (long i = id; i < total; i += clients) {
		memset(r.data, (int)i, sizeof r.data);
		unsigned h = checksum(r.data, sizeof r.data, (unsigned)i);
		memcpy(r.data, &h, sizeof h);
		r.id = i;
		commit(&r);
	}
	return NULL;
}

int main(int argc, char **argv) {
	for (int i = 1; i + 1 < argc; i += 2) {
		if (!strcmp(argv[i], "-c")) clients = atoi(argv[i + 1]);
		if (!strcmp(argv[i], "-n")) total = atol(argv[i + 1]);
		if (!strcmp(argv[i], "-e")) effort = atoi(argv[i + 1]);
	}
	char name[] = "/tmp/commitXXXXXX";
	if ((fd = mkstemp(name)) < 0) { perror(name); return 1; }
	unlink(name);
	pthread_t *t = calloc(clients, sizeof *t);
	for (long i = 0; i < clients; i++) pthread_create(&t[i], NULL, client, (void *)i);
	for (int i = 0; i < clients; i++) pthread_join(t[i], NULL);
	printf("records %ld syncs %ld\n", total, syncs);
	return 0;
}
