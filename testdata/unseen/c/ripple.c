/* ripple - shallow-water simulation (Lax-Friedrichs, double buffered) with
 * periodic snapshots that are quantised and Huffman coded by a second pool. */
#define _GNU_SOURCE
#include <getopt.h>
#include <math.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int workers = 2, encoders = 2, grid = 384, steps = 900, every = 10, slots = 2, strip = 48, chunk = 16, qbits = 10;
static unsigned seed = 7;

struct field { double *h, *u, *v; };            /* height and the two momenta */
static struct field buf[2];
static int cur;                                 /* written only between barriers */
static double dt, dx = 1.0;
static pthread_barrier_t bar;

/* rows of a step are claimed in chunks */
static pthread_mutex_t row_mu = PTHREAD_MUTEX_INITIALIZER;
static int row_next;
static double step_speed;

static void *xalloc(size_t n) {
    void *p = calloc(1, n);
    if (!p) { perror("calloc"); exit(1); }
    return p;
}
#define AT(i, j) ((size_t)(i) * (size_t)grid + (size_t)(j))

static int claim_rows(int *lo, int *hi) {
    pthread_mutex_lock(&row_mu);
    *lo = row_next;
    row_next += chunk;
    pthread_mutex_unlock(&row_mu);
    if (*lo >= grid) return 0;
    *hi = *lo + chunk < grid ? *lo + chunk : grid;
    return 1;
}

static double advance_rows(const struct field *a, struct field *b, int lo, int hi) {
    const double g = 9.81, k = dt / (2 * dx);
    double top = 0;
    for (int i = lo; i < hi; i++) {
        int n = i ? i - 1 : grid - 1, s = i + 1 < grid ? i + 1 : 0;
        for (int j = 0; j < grid; j++) {
            int w = j ? j - 1 : grid - 1, e = j + 1 < grid ? j + 1 : 0;
            size_t N = AT(n, j), S = AT(s, j), W = AT(i, w), E = AT(i, e), C = AT(i, j);
            double hn = a->h[N], hs = a->h[S], hw = a->h[W], he = a->h[E];
            double un = a->u[N], us = a->u[S], uw = a->u[W], ue = a->u[E];
            double vn = a->v[N], vs = a->v[S], vw = a->v[W], ve = a->v[E];
            double h = 0.25 * (hn + hs + hw + he) - k * (ue - uw + vs - vn);
            double u = 0.25 * (un + us + uw + ue) - k * (ue * ue / he + 0.5 * g * he * he - uw * uw / hw - 0.5 * g * hw * hw)
                       - k * (us * vs / hs - un * vn / hn);
            double v = 0.25 * (vn + vs + vw + ve) - k * (ue * ve / he - uw * vw / hw)
                       - k * (vs * vs / hs + 0.5 * g * hs * hs - vn * vn / hn - 0.5 * g * hn * hn);
            b->h[C] = h; b->u[C] = u; b->v[C] = v;
            double sp = sqrt(u * u + v * v) / h + sqrt(g * h);
            if (sp > top) top = sp;
        }
    }
    return top;
}

/* ---- snapshots ---- */
struct snap {
    int id, left;             /* strips still to encode */
    double *h;
    struct snap *next;
};
struct job { struct snap *s; int lo, hi; };

static pthread_mutex_t sn_mu = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t sn_free = PTHREAD_COND_INITIALIZER, sn_work = PTHREAD_COND_INITIALIZER;
static struct snap *free_snaps;
static struct job *jobs;
static int jobs_cap, jobs_head, jobs_n, sn_closed;
static uint64_t code_bits, code_sum;

static void publish_snapshot(int id, const double *h) {
    pthread_mutex_lock(&sn_mu);
    while (!free_snaps) pthread_cond_wait(&sn_free, &sn_mu);
    struct snap *s = free_snaps;
    free_snaps = s->next;
    pthread_mutex_unlock(&sn_mu);

    memcpy(s->h, h, sizeof(double) * (size_t)grid * (size_t)grid);
    s->id = id;
    s->left = (grid + strip - 1) / strip;

    pthread_mutex_lock(&sn_mu);
    for (int lo = 0; lo < grid; lo += strip) {
        struct job j = {s, lo, lo + strip < grid ? lo + strip : grid};
        jobs[(jobs_head + jobs_n++) % jobs_cap] = j;
    }
    pthread_cond_broadcast(&sn_work);
    pthread_mutex_unlock(&sn_mu);
}

#define SYMS 256
/* Huffman code lengths by repeated merging of the two lightest nodes */
static void huff_lengths(const uint32_t *freq, uint8_t *len) {
    uint64_t w[2 * SYMS];
    int parent[2 * SYMS], alive[SYMS], n = 0, nodes = SYMS;
    for (int i = 0; i < SYMS; i++) {
        w[i] = freq[i];
        len[i] = 0;
        if (freq[i]) alive[n++] = i;
    }
    if (n == 1) { len[alive[0]] = 1; return; }
    while (n > 1) {
        int a = 0, b = 1;
        if (w[alive[b]] < w[alive[a]]) { a = 1; b = 0; }
        for (int i = 2; i < n; i++) {
            if (w[alive[i]] < w[alive[a]]) { b = a; a = i; }
            else if (w[alive[i]] < w[alive[b]]) b = i;
        }
        w[nodes] = w[alive[a]] + w[alive[b]];
        parent[alive[a]] = parent[alive[b]] = nodes;
        int hi = a > b ? a : b, lo = a > b ? b : a;
        alive[lo] = nodes++;
        alive[hi] = alive[--n];
    }
    for (int i = 0; i < SYMS; i++)
        if (freq[i]) {
            int d = 0;
            for (int p = i; p != nodes - 1; p = parent[p]) d++;
            len[i] = (uint8_t)d;
        }
}
static void encode_strip(const struct job *j, uint8_t *sym, uint64_t *bits, uint64_t *sum) {
    uint32_t freq[SYMS] = {0};
    uint8_t len[SYMS];
    uint64_t code[SYMS];
    size_t n = 0;
    double scale = (double)(1 << qbits);
    for (int i = j->lo; i < j->hi; i++) {
        int prev = 0, prev2 = 0;
        for (int k = 0; k < grid; k++) {
            int q = (int)lrint(j->s->h[AT(i, k)] * scale), r = q - (k > 1 ? 2 * prev - prev2 : prev);
            prev2 = prev; prev = q;
            unsigned z = ((unsigned)r << 1) ^ (unsigned)(r >> 31);
            while (z >= 255) { sym[n++] = 255; freq[255]++; z = z > 65535 ? 254 : z >> 8; }
            sym[n++] = (uint8_t)z;
            freq[z]++;
        }
    }
    huff_lengths(freq, len);
    uint64_t next = 0;                           /* canonical codes */
    for (int l = 1, last = 0; l < 60; l++)
        for (int i = 0; i < SYMS; i++)
            if (len[i] == l) { next <<= l - last; last = l; code[i] = next++; }
    uint64_t acc = 0, h = 0xcbf29ce484222325ull, total = 0;
    int fill = 0;
    for (size_t i = 0; i < n; i++) {
        int l = len[sym[i]];
        for (int b = l - 1; b >= 0; b--) {
            acc = (acc << 1) | ((code[sym[i]] >> b) & 1);
            if (++fill == 8) { h = (h ^ (acc & 255)) * 0x100000001b3ull; fill = 0; }
        }
        total += (uint64_t)l;
    }
    *bits = total;
    *sum = (h ^ acc) * (uint64_t)(j->s->id * 1000 + 1) + (uint64_t)j->lo;
}
static void *encoder_main(void *arg) {
    (void)arg;
    uint8_t *sym = xalloc((size_t)strip * (size_t)grid * 4);
    pthread_mutex_lock(&sn_mu);
    for (;;) {
        while (!jobs_n && !sn_closed) pthread_cond_wait(&sn_work, &sn_mu);
        if (!jobs_n) break;
        struct job j = jobs[jobs_head];
        jobs_head = (jobs_head + 1) % jobs_cap;
        jobs_n--;
        pthread_mutex_unlock(&sn_mu);
        uint64_t bits, sum;
        encode_strip(&j, sym, &bits, &sum);
        pthread_mutex_lock(&sn_mu);
        code_bits += bits;
        code_sum += sum;
        if (--j.s->left == 0) {
            j.s->next = free_snaps;
            free_snaps = j.s;
            pthread_cond_signal(&sn_free);
        }
    }
    pthread_mutex_unlock(&sn_mu);
    free(sym);
    return NULL;
}

static void *sim_main(void *arg) {
    (void)arg;
    for (int t = 0; t < steps; t++) {
        int lo, hi;
        double top = 0;
        while (claim_rows(&lo, &hi)) {
            double s = advance_rows(&buf[cur], &buf[!cur], lo, hi);
            if (s > top) top = s;
        }
        pthread_mutex_lock(&row_mu);
        if (top > step_speed) step_speed = top;
        pthread_mutex_unlock(&row_mu);
        if (pthread_barrier_wait(&bar) == PTHREAD_BARRIER_SERIAL_THREAD) {
            cur = !cur;
            dt = 0.4 * dx / step_speed;
            step_speed = 0;
            row_next = 0;
            if ((t + 1) % every == 0) publish_snapshot((t + 1) / every, buf[cur].h);
        }
        pthread_barrier_wait(&bar);
    }
    return NULL;
}

static void init_fields(void) {
    size_t n = (size_t)grid * (size_t)grid * sizeof(double);
    for (int b = 0; b < 2; b++) { buf[b].h = xalloc(n); buf[b].u = xalloc(n); buf[b].v = xalloc(n); }
    for (size_t i = 0; i < (size_t)grid * (size_t)grid; i++) buf[0].h[i] = 2.0;
    uint32_t s = seed * 2654435761u + 1;
    for (int d = 0; d < 12; d++) {
        double p[3];
        for (int k = 0; k < 3; k++) { s = s * 1664525u + 1013904223u; p[k] = (s >> 8) / 16777216.0; }
        double cx = p[0] * grid, cy = p[1] * grid, r = 4 + p[2] * grid / 20;
        for (int i = 0; i < grid; i++)
            for (int j = 0; j < grid; j++) {
                double q = ((i - cy) * (i - cy) + (j - cx) * (j - cx)) / (r * r);
                if (q < 9) buf[0].h[AT(i, j)] += 0.4 * exp(-q);
            }
    }
    dt = 0.02;
}

int main(int argc, char **argv) {
    int c;
    while ((c = getopt(argc, argv, "w:e:n:t:i:s:r:c:q:S:")) != -1) {
        int v = optarg ? atoi(optarg) : 0;
        switch (c) {
        case 'w': workers = v; break;
        case 'e': encoders = v; break;
        case 'n': grid = v; break;
        case 't': steps = v; break;
        case 'i': every = v; break;
        case 's': slots = v; break;
        case 'r': strip = v; break;
        case 'c': chunk = v; break;
        case 'q': qbits = v; break;
        case 'S': seed = (unsigned)v; break;
        default:
            fprintf(stderr, "usage: ripple -w workers -e encoders -n grid -t steps -i every -s slots -r strip -c chunk -q bits\n");
            return 2;
        }
    }
    if (workers < 1 || encoders < 1 || grid < 8 || every < 1 || slots < 1 || strip < 1 || chunk < 1 || qbits < 1 || qbits > 24) {
        fprintf(stderr, "ripple: bad setting\n");
        return 2;
    }
    init_fields();
    jobs_cap = slots * ((grid + strip - 1) / strip);
    jobs = xalloc(sizeof *jobs * (size_t)jobs_cap);
    for (int i = 0; i < slots; i++) {
        struct snap *s = xalloc(sizeof *s);
        s->h = xalloc(sizeof(double) * (size_t)grid * (size_t)grid);
        s->next = free_snaps;
        free_snaps = s;
    }
    pthread_barrier_init(&bar, NULL, (unsigned)workers);
    pthread_t *th = xalloc(sizeof *th * (size_t)(workers + encoders));
    for (int i = 0; i < workers + encoders; i++) pthread_create(&th[i], NULL, i < workers ? sim_main : encoder_main, NULL);
    for (int i = 0; i < workers; i++) pthread_join(th[i], NULL);
    pthread_mutex_lock(&sn_mu);
    sn_closed = 1;
    pthread_cond_broadcast(&sn_work);
    pthread_mutex_unlock(&sn_mu);
    for (int i = workers; i < workers + encoders; i++) pthread_join(th[i], NULL);

    double mass = 0, energy = 0;
    const struct field *f = &buf[cur];
    for (size_t i = 0; i < (size_t)grid * (size_t)grid; i++) {
        mass += f->h[i];
        energy += 0.5 * (f->u[i] * f->u[i] + f->v[i] * f->v[i]) / f->h[i] + 4.905 * f->h[i] * f->h[i];
    }
    printf("mass %.6f energy %.6f coded %llu bytes checksum %016llx\n", mass, energy,
           (unsigned long long)(code_bits / 8), (unsigned long long)code_sum);
    return 0;
}
