/* Where memory of different sizes lies in its pages, written to the file that is the argument; and a thread, so that there is something
 * to record. */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
#include <fcntl.h>

enum { PAGE = 4096 };

static void *nothing(void *unused) { return unused; }

int main(int argc, char **argv) {
	char text[PAGE];
	int n = 0;
	for (int size = 16; size < 1000; size += 24) n += snprintf(text + n, sizeof text - n, "%d at %d\n", size, (int)((uintptr_t)malloc(size) % PAGE));
	pthread_t t;
	if (pthread_create(&t, 0, nothing, 0) || pthread_join(t, 0)) return 1;
	int out = argc > 1 ? open(argv[1], O_CREAT | O_WRONLY | O_TRUNC, 0600) : -1;
	return out < 0 || write(out, text, n) != n;
}
