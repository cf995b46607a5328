/* Three stages joined by bounded rings: a mixer, potters, and one painter. usage: kiln [-p potters] [-n pots] [-w work] */
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define ROOM 8
struct ring {
  uint64_t item[ROOM];
  int head, count, closed;
  pthread_mutex_t m;
  pthread_cond_t full, empty;
};

static void init(struct ring *r) {
  r->head = r->count = r->closed = 0;
  pthread_mutex_init(&r->m, NULL);
  pthread_cond_init(&r->full, NULL);
  pthread_cond_init(&r->empty, NULL);
}
static void put(struct ring *r, uint64_t x) {
  pthread_mutex_lock(&r->m);
  while (r->count == ROOM) pthread_cond_wait(&r->full, &r->m);
  r->item[(r->head + r->count++) % ROOM] = x;
  pthread_cond_signal(&r->empty);
  pthread_mutex_unlock(&r->m);
}
static int get(struct ring *r, uint64_t *x) {
  pthread_mutex_lock(&r->m);
  while (r->count == 0 && !r->closed) pthread_cond_wait(&r->empty, &r->m);
  if (r->count == 0) {
    pthread_mutex_unlock(&r->m);
    return 0;
  }
  *x = r->item[r->head];
  r->head = (r->head + 1) % ROOM;
  r->count--;
  pthread_cond_signal(&r->full);
  pthread_mutex_unlock(&r->m);
  return 1;
}
static void close_ring(struct ring *r) {
  pthread_mutex_lock(&r->m);
  r->closed = 1;
  pthread_cond_broadcast(&r->empty);
  pthread_mutex_unlock(&r->m);
}

static struct ring clay, pots;
static int n = 3000, work = 300000;

static uint64_t turn(uint64_t x, int rounds) {
  for (int i = 0; i < rounds; i++) x ^= x << 13, x ^= x >> 7, x ^= x << 17;
  return x;
}
static void *mixer(void *a) {
  (void)a;
  for (int i = 1; i <= n; i++) put(&clay, turn(i, work / 8));
  close_ring(&clay);
  return NULL;
}
static void *potter(void *a) {
  uint64_t x;
  (void)a;
  while (get(&clay, &x)) put(&pots, turn(x, work));
  return NULL;
}
static void *painter(void *a) {
  uint64_t x, sum = 0;
  while (get(&pots, &x)) sum += turn(x, work / 5) & 0xff;
  *(uint64_t *)a = sum;
  return NULL;
}

int main(int argc, char **argv) {
  int potters = 2, c;
  while ((c = getopt(argc, argv, "p:n:w:")) != -1) switch (c) {
      case 'p': potters = atoi(optarg); break;
      case 'n': n = atoi(optarg); break;
      case 'w': work = atoi(optarg); break;
      default: return 2;
    }
  struct timespec a, b;
  clock_gettime(CLOCK_MONOTONIC, &a);
  init(&clay);
  init(&pots);
  pthread_t m, p, t[64];
  uint64_t sum;
  pthread_create(&m, NULL, mixer, NULL);
  for (int i = 0; i < potters; i++) pthread_create(&t[i], NULL, potter, NULL);
  pthread_create(&p, NULL, painter, &sum);
  pthread_join(m, NULL);
  for (int i = 0; i < potters; i++) pthread_join(t[i], NULL);
  close_ring(&pots);
  pthread_join(p, NULL);
  clock_gettime(CLOCK_MONOTONIC, &b);
  printf("sum %lu, %.3f s\n", (unsigned long)sum, (b.tv_sec - a.tv_sec) + (b.tv_nsec - a.tv_nsec) * 1e-9);
  return 0;
}
