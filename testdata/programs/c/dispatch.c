// dispatch: a server of which one thread waits for all connections, and puts those with input into a list, from which workers
// take them: they read, compute, answer, and let the first thread wait for the connection again.
//
//	cc -O2 -pthread -o dispatch dispatch.c && ./dispatch -t 3 -p 7008
#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { ROOM = 1024, EVENTS = 64 };

static int work = 400000, poll, list[ROOM], first, length;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t more = PTHREAD_COND_INITIALIZER;

static unsigned long compute(unsigned long x) {
	for (int i = 0; i < work; i++)
		x = x * 6364136223846793005UL + 1442695040888963407UL;
	return x;
}

static void put(int fd) {
	pthread_mutex_lock(&mutex);
	list[(first + length++) % ROOM] = fd;
	pthread_cond_signal(&more);
	pthread_mutex_unlock(&mutex);
}

static int take(void) {
	pthread_mutex_lock(&mutex);
	while (!length)
		pthread_cond_wait(&more, &mutex);
	int fd = list[first];
	first = (first + 1) % ROOM;
	length--;
	pthread_mutex_unlock(&mutex);
	return fd;
}

static void await(int fd, int how) {
	struct epoll_event event = {.events = EPOLLIN | EPOLLONESHOT, .data.fd = fd};
	epoll_ctl(poll, how, fd, &event);
}

static void *worker(void *unused) {
	char line[512];
	for (;;) {
		int fd = take();
		ssize_t got = read(fd, line, sizeof line);
		if (got <= 0) {
			close(fd);
			continue;
		}
		int n = snprintf(line, sizeof line, "%lx\r\n", compute(got));
		if (write(fd, line, n) != n)
			close(fd);
		else
			await(fd, EPOLL_CTL_MOD);
	}
	return unused;
}

int main(int argc, char **argv) {
	int port = 7008, threads = 3, option, one = 1;
	while ((option = getopt(argc, argv, "p:t:w:")) != -1)
		switch (option) {
		case 'p': port = atoi(optarg); break;
		case 't': threads = atoi(optarg); break;
		case 'w': work = atoi(optarg); break;
		default: return 2;
		}
	signal(SIGPIPE, SIG_IGN);
	int listener = socket(AF_INET, SOCK_STREAM, 0);
	setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
	struct sockaddr_in at = {.sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
	if (bind(listener, (struct sockaddr *)&at, sizeof at) || listen(listener, 512)) {
		perror("dispatch");
		return 1;
	}
	poll = epoll_create1(0);
	struct epoll_event event = {.events = EPOLLIN, .data.fd = listener}, ready[EVENTS];
	epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
	for (int i = 0; i < threads; i++) {
		pthread_t thread;
		pthread_create(&thread, NULL, worker, NULL);
	}
	for (;;) {
		int n = epoll_wait(poll, ready, EVENTS, -1);
		for (int i = 0; i < n; i++) {
			if (ready[i].data.fd != listener) {
				put(ready[i].data.fd);
				continue;
			}
			int fd = accept(listener, NULL, NULL);
			setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
			await(fd, EPOLL_CTL_ADD);
		}
	}
}
