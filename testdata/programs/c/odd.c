// What programs do that a recorder has to survive: odd MODE. gcc -O2 -pthread odd.c -o odd -ldl -lm
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static double sum;

static double compute(int n) {
	double y = n;
	for (int i = 0; i < n; i++) y = sqrt(y * y + i % 7) * 0.999 + 0.1;
	return y;
}

static void add(int n) {
	double y = compute(n);
	pthread_mutex_lock(&lock);
	sum += y;
	pthread_mutex_unlock(&lock);
}

static void *work(void *n) {
	add((int)(long)n);
	return n;
}

// many: 1000 threads, 20 at a time.
static void many(void) {
	pthread_t t[20];
	for (int k = 0; k < 50; k++) {
		for (int i = 0; i < 20; i++)
			if (pthread_create(&t[i], 0, work, (void *)20000L)) abort();
		for (int i = 0; i < 20; i++) pthread_join(t[i], 0);
	}
}

// together: 1000 threads that are all alive.
static void together(void) {
	enum { N = 1000 };
	static pthread_t t[N];
	pthread_attr_t small;
	pthread_attr_init(&small);
	pthread_attr_setstacksize(&small, 1 << 16);
	for (int i = 0; i < N; i++)
		if (pthread_create(&t[i], &small, work, (void *)20000L)) abort();
	for (int i = 0; i < N; i++) pthread_join(t[i], 0);
}

static void killed(void) {
	for (int i = 0; i < 50; i++) add(200000);
	kill(getpid(), SIGKILL);
}

// forks: children that use locks as their parent does, and end in three ways.
static void forks(void) {
	for (int i = 0; i < 6; i++) {
		add(200000);
		pid_t p = fork();
		if (!p) {
			for (int k = 0; k < 1000; k++) add(10);
			if (i % 3 == 0) execlp("true", "true", (char *)0);
			if (i % 3 == 1) _exit(0);
			exit(0);
		}
		waitpid(p, 0, 0);
	}
	if (system("true")) abort();
}

// again: puts itself into its own place, once.
static void again(char **args) {
	for (int i = 0; i < 20; i++) add(200000);
	if (getenv("ODD_AGAIN")) return;
	setenv("ODD_AGAIN", "1", 1);
	execv("/proc/self/exe", args);
	abort();
}

// interrupted: calls that a signal of the program's own ends have to end; those that only the recorder's sampling
// interrupts must not.
static volatile int signals;
static void caught(int s) {
	(void)s;
	signals++;
}
static void interrupted(void) {
	struct sigaction a = {.sa_handler = caught};
	sigaction(SIGALRM, &a, 0);
	struct itimerval often = {{0, 20000}, {0, 20000}}, never = {{0, 0}, {0, 0}}; // the first may come before the call
	for (int i = 0; i < 4; i++) {
		add(3000000);
		int before = signals;
		setitimer(ITIMER_REAL, &often, 0);
		struct timespec second = {30, 0};
		sem_t s;
		sem_init(&s, 0, 0);
		int r = i == 0 ? poll(0, 0, 30000) : i == 1 ? nanosleep(&second, 0) : i == 2 ? sem_wait(&s) : pause();
		int err = errno;
		setitimer(ITIMER_REAL, &never, 0);
		if (r != -1 || err != EINTR || signals == before) {
			fprintf(stderr, "call %d was not interrupted: %d, %s, %d signals\n", i, r, strerror(err), signals);
			exit(1);
		}
	}
}

// loads: calls code of a library that it loads while it runs, which calls back.
static void loads(const char *library) {
	void *l = dlopen(library, RTLD_NOW);
	void (*call)(void (*)(int), int) = l ? (void (*)(void (*)(int), int))dlsym(l, "call") : 0;
	if (!call) {
		fprintf(stderr, "%s\n", dlerror());
		exit(1);
	}
	for (int i = 0; i < 50; i++) call(add, 200000);
}

// cancelled: a thread that is cancelled while it waits for a condition, and one that leaves by pthread_exit.
static void *waits(void *unused) {
	static pthread_cond_t never = PTHREAD_COND_INITIALIZER;
	static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
	pthread_mutex_lock(&m);
	pthread_cleanup_push((void (*)(void *))pthread_mutex_unlock, &m);
	for (;;) pthread_cond_wait(&never, &m);
	pthread_cleanup_pop(1);
	return unused;
}
static void *leaves(void *n) {
	add(200000);
	pthread_exit(n);
}
static void cancelled(void) {
	for (int i = 0; i < 20; i++) {
		pthread_t a, b;
		pthread_create(&a, 0, waits, 0);
		pthread_create(&b, 0, leaves, 0);
		add(200000);
		pthread_cancel(a);
		pthread_join(a, 0);
		pthread_join(b, 0);
	}
}

// twice: a recursive mutex, and a lock that is asked for in vain.
static void twice(void) {
	pthread_mutexattr_t a;
	pthread_mutex_t m;
	pthread_mutexattr_init(&a);
	pthread_mutexattr_settype(&a, PTHREAD_MUTEX_RECURSIVE);
	pthread_mutex_init(&m, &a);
	for (int i = 0; i < 50; i++) {
		pthread_mutex_lock(&m);
		pthread_mutex_lock(&m);
		add(200000);
		pthread_mutex_unlock(&m);
		pthread_mutex_unlock(&m);
	}
}

int main(int n, char **args) {
	const char *mode = n > 1 ? args[1] : "";
	if (!strcmp(mode, "many")) many();
	else if (!strcmp(mode, "together")) together();
	else if (!strcmp(mode, "killed")) killed();
	else if (!strcmp(mode, "forks")) forks();
	else if (!strcmp(mode, "again")) again(args);
	else if (!strcmp(mode, "interrupted")) interrupted();
	else if (!strcmp(mode, "loads") && n > 2) loads(args[2]);
	else if (!strcmp(mode, "cancelled")) cancelled();
	else if (!strcmp(mode, "twice")) twice();
	else {
		fprintf(stderr, "usage: odd MODE\n");
		return 3;
	}
	printf("%g\n", sum);
	return 0;
}
