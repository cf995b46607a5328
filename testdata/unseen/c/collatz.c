/* collatz - the longest Collatz sequences below a bound
 *
 * usage: collatz [-n threads] [-b bound] [-r rounds]
 *
 * The main thread is one of the threads, and does the first part.
 */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

struct part {
	pthread_t thread;
	uint64_t from, to;
	int rounds;
	uint64_t best, length;
};

static void search(struct part *p)
{
	for (int r = 0; r < p->rounds; r++)
		for (uint64_t i = p->from; i < p->to; i++) {
			uint64_t n = i, length = 1;
			for (; n != 1; length++)
				n = n % 2 ? 3 * n + 1 : n / 2;
			if (length > p->length) {
				p->length = length;
				p->best = i;
			}
		}
}

static void *searcher(void *p)
{
	search(p);
	return NULL;
}

int main(int argc, char **argv)
{
	int n = 3, rounds = 3, opt;
	uint64_t bound = 1500000;
	while ((opt = getopt(argc, argv, "n:b:r:")) != -1)
		switch (opt) {
		case 'n': n = atoi(optarg); break;
		case 'b': bound = strtoull(optarg, NULL, 10); break;
		case 'r': rounds = atoi(optarg); break;
		default: return 2;
		}
	struct part *parts = calloc(n, sizeof *parts);
	for (int i = 0; i < n; i++) {
		parts[i].from = 1 + bound * i / n;
		parts[i].to = 1 + bound * (i + 1) / n;
		parts[i].rounds = rounds;
	}
	for (int i = 1; i < n; i++)
		if (pthread_create(&parts[i].thread, NULL, searcher, &parts[i]))
			return 1;
	search(&parts[0]);
	for (int i = 1; i < n; i++)
		pthread_join(parts[i].thread, NULL);
	struct part *best = &parts[0];
	for (int i = 1; i < n; i++)
		if (parts[i].length > best->length)
			best = &parts[i];
	printf("%llu: %llu\n", (unsigned long long)best->best, (unsigned long long)best->length);
	return 0;
}
