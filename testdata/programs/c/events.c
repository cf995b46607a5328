// events: a server with event loops. Each thread waits for what comes over its connections, and answers a number with another
// one that takes some computing, or that somebody has computed before and left in a table under a lock.
//
//   cc -O2 -pthread -o events events.c && ./events -t 2 -p 7004
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { SLOTS = 512, EVENTS = 64 };

static int work = 400000;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static unsigned long known[SLOTS]; // 0: nobody has computed it

static unsigned long compute(unsigned long x) {
	for (int i = 0; i < work; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x | 1;
}

static unsigned long answer(unsigned key) {
	unsigned long *slot = &known[key % SLOTS];
	pthread_mutex_lock(&mutex);
	unsigned long value = key % 4 ? 0 : *slot;
	pthread_mutex_unlock(&mutex);
	if (value)
		return value;
	value = compute(key);
	pthread_mutex_lock(&mutex);
	*slot = value;
	pthread_mutex_unlock(&mutex);
	return value;
}

static void *loop(void *p) {
	int poll = (int)(long)p;
	struct epoll_event ready[EVENTS];
	char line[512];
	for (;;) {
		int n = epoll_wait(poll, ready, EVENTS, -1);
		for (int i = 0; i < n; i++) {
			int fd = ready[i].data.fd;
			ssize_t got = read(fd, line, sizeof line - 1);
			if (got <= 0) {
				close(fd);
				continue;
			}
			line[got] = 0;
			int length = snprintf(line, sizeof line, "%lx\r\n", answer(atoi(line)));
			if (write(fd, line, length) != length)
				close(fd);
		}
	}
	return NULL;
}

int main(int argc, char **argv) {
	int port = 7004, threads = 2, option;
	while ((option = getopt(argc, argv, "p:t:w:")) != -1)
		switch (option) {
		case 'p': port = atoi(optarg); break;
		case 't': threads = atoi(optarg); break;
		case 'w': work = atoi(optarg); break;
		default: return 2;
		}
	signal(SIGPIPE, SIG_IGN);
	int listener = socket(AF_INET, SOCK_STREAM, 0), one = 1;
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 512)) {
		perror("events");
		return 1;
	}
	int *polls = calloc(threads, sizeof *polls);
	for (int i = 0; i < threads; i++) {
		pthread_t thread;
		polls[i] = epoll_create1(0);
		pthread_create(&thread, NULL, loop, (void *)(long)polls[i]);
	}
	for (int next = 0;; next = (next + 1) % threads) {
		int fd = accept(listener, NULL, NULL);
		if (fd < 0)
			continue;
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
		struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
		epoll_ctl(polls[next], EPOLL_CTL_ADD, fd, &event);
	}
}
