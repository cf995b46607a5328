// A library with locks of its own making, as programs have them.
#include <pthread.h>

void enter(pthread_mutex_t *m) { pthread_mutex_lock(m); }
void leave(pthread_mutex_t *m) { pthread_mutex_unlock(m); }
