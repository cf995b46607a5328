// Two threads that work by turns: the one that calls byTurns, and one that it starts.
#include <pthread.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int turns, turn;

static void works(int mine) {
	for (int i = 0; i < turns; i++) {
		pthread_mutex_lock(&lock);
		while (turn != mine) pthread_cond_wait(&changed, &lock);
		turn = !mine;
		pthread_cond_broadcast(&changed);
		pthread_mutex_unlock(&lock);
	}
}

static void *other(void *arg) {
	works(1);
	return arg;
}

static void byTurns(int times) {
	turns = times;
	pthread_t t;
	pthread_create(&t, 0, other, 0);
	works(0);
	pthread_join(t, 0);
}
