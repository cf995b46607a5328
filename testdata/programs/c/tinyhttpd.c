// The server of Figure 1 of Tarvo & Reiss, in C: a thread that accepts connections, a queue of them, a pool of
// threads. Each reads one request, looks for the file, reads and sends it.
//
//   gcc -O2 -pthread tinyhttpd.c -o tinyhttpd
//   ./tinyhttpd -port 8080 -threads 4 -root DIR
//
// When it is stopped it prints how long stat() and read() took, as measure reads it. With -DPROBES it has probes by
// hand (tierscope.h): a task's begin and end, its fragments, its parameters.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#ifdef PROBES
#include "tierscope.h"
#else
#define TIERSCOPE_TASK_RECEIVE(id)
#define TIERSCOPE_TASK_SEND(id)
#define TIERSCOPE_FRAGMENT_BEGIN(name)
#define TIERSCOPE_FRAGMENT_END(name)
#define TIERSCOPE_PARAMETER(name, value)
#endif

enum { CAPACITY = 1024, PIECE = 1 << 14, LONGEST = 4096 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t filled, room;
	int ring[CAPACITY], first, items;
} queue = {.lock = PTHREAD_MUTEX_INITIALIZER, .filled = PTHREAD_COND_INITIALIZER, .room = PTHREAD_COND_INITIALIZER};

static const char *root = ".";

// What calls took.
static struct took {
	atomic_llong ns, calls;
} ofStat, ofRead;

static long long now(void) {
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return t.tv_sec * 1000000000LL + t.tv_nsec;
}

static long took(struct took *t, long long began, long result) {
	t->ns += now() - began;
	t->calls++;
	return result;
}

static double mean(struct took *t) { return t->calls ? t->ns / 1e9 / t->calls : 0; }

static void put(int connection) {
	pthread_mutex_lock(&queue.lock);
	while (queue.items == CAPACITY) pthread_cond_wait(&queue.room, &queue.lock);
	queue.ring[(queue.first + queue.items++) % CAPACITY] = connection;
	pthread_cond_signal(&queue.filled);
	pthread_mutex_unlock(&queue.lock);
}

static int take(void) {
	pthread_mutex_lock(&queue.lock);
	while (queue.items == 0) pthread_cond_wait(&queue.filled, &queue.lock);
	int connection = queue.ring[queue.first];
	queue.first = (queue.first + 1) % CAPACITY;
	queue.items--;
	pthread_cond_signal(&queue.room);
	pthread_mutex_unlock(&queue.lock);
	return connection;
}

static void sendAll(int connection, const char *b, size_t n) {
	while (n > 0) {
		ssize_t done = send(connection, b, n, MSG_NOSIGNAL);
		if (done <= 0) return;
		b += done;
		n -= done;
	}
}

static void refuse(int connection) {
	static const char text[] = "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
	sendAll(connection, text, sizeof text - 1);
}

// readRequest reads to the end of the header and returns the path that is asked for; 0: it is none.
static char *readRequest(int connection, char *b) {
	size_t n = 0;
	do {
		ssize_t more = recv(connection, b + n, LONGEST - 1 - n, 0);
		if (more <= 0) return 0;
		n += more;
		b[n] = 0;
	} while (!strstr(b, "\r\n\r\n") && n < LONGEST - 1);
	char *path = strchr(b, ' '), *end = path ? strchr(path + 1, ' ') : 0;
	if (!end || strncmp(b, "GET ", 4) || strstr(b, "..")) return 0;
	*end = 0;
	return path + 1;
}

static void serve(int connection, char *piece) {
	char request[LONGEST], name[2 * LONGEST], head[256];
	struct stat s;
	char *path = readRequest(connection, request);
	if (!path) {
		refuse(connection);
		return;
	}
	snprintf(name, sizeof name, "%s%s", root, path);
	TIERSCOPE_FRAGMENT_BEGIN("find");
	long long began = now();
	int missing = took(&ofStat, began, stat(name, &s)) || !S_ISREG(s.st_mode);
	int file = missing ? -1 : open(name, O_RDONLY);
	TIERSCOPE_FRAGMENT_END("find");
	if (file < 0) {
		refuse(connection);
		return;
	}
	int n = snprintf(head, sizeof head, "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: %lld\r\nConnection: close\r\n\r\n", (long long)s.st_size);
	sendAll(connection, head, n);
	TIERSCOPE_FRAGMENT_BEGIN("deliver");
	for (ssize_t got;; sendAll(connection, piece, got)) {
		began = now();
		got = took(&ofRead, began, read(file, piece, PIECE));
		if (got <= 0) break;
	}
	TIERSCOPE_FRAGMENT_END("deliver");
	close(file);
}

static void *work(void *unused) {
	char *piece = malloc(PIECE);
	for (;;) {
		int connection = take();
		TIERSCOPE_TASK_RECEIVE(connection);
		serve(connection, piece);
		shutdown(connection, SHUT_WR);
		close(connection);
		TIERSCOPE_TASK_SEND(connection);
	}
	return unused;
}

static void stop(int signal) {
	(void)signal;
	printf("{\"tasks\": %lld, \"operations_mean_s\": {\"stat\": %.9g, \"read\": %.9g}}\n", (long long)ofStat.calls, mean(&ofStat), mean(&ofRead));
	exit(0);
}

int main(int n, char **args) {
	int threads = 4, port = 8080, one = 1;
	for (int i = 1; i + 1 < n; i += 2) {
		if (!strcmp(args[i], "-threads")) threads = atoi(args[i + 1]);
		else if (!strcmp(args[i], "-port")) port = atoi(args[i + 1]);
		else if (!strcmp(args[i], "-root")) root = args[i + 1];
		else {
			fprintf(stderr, "usage: tinyhttpd [-threads N] [-port N] [-root DIR]\n");
			return 2;
		}
	}
	TIERSCOPE_PARAMETER("threads", threads);
	signal(SIGTERM, stop);
	signal(SIGINT, stop);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (bind(listener, (struct sockaddr *)&a, sizeof a) || listen(listener, CAPACITY)) {
		perror("tinyhttpd");
		return 1;
	}
	for (int i = 0; i < threads; i++) {
		pthread_t t;
		if (pthread_create(&t, 0, work, 0)) return 1;
	}
	for (;;) {
		int connection = accept(listener, 0, 0);
		if (connection < 0) continue;
		setsockopt(connection, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		put(connection);
	}
}
