// threads measures what the schedulers and locks of the simulator are compared with: POSIX threads under Linux' scheduler.
//
//   g++ -O2 -pthread -o threads threads.cc
//   ./threads bursts CPUS HOGS OTHERS BURST SLEEP SECONDS   threads that sleep and compute beside threads that only compute
//   ./threads lock CPUS THREADS HELD APART SECONDS          threads that compute with a mutex and without it
//   ./threads wake CPUS SECONDS                             what it costs to wake a thread, on the same CPU or an idle one
//
// Times are in seconds, means of exponential laws. It runs on the first CPUS processors and prints one JSON object.
#include <pthread.h>
#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <thread>
#include <vector>

using Times = std::vector<double>;

double now(clockid_t clock = CLOCK_MONOTONIC) {
  timespec t;
  clock_gettime(clock, &t);
  return t.tv_sec + t.tv_nsec * 1e-9;
}

std::atomic<bool> stop;
double warm;  // what happens before is not counted

// turns is how many turns of a loop a thread does in a second of CPU time.
double turns;

// spin computes for so long. It asks no clock: who asks for its CPU time makes the kernel renew its deadline.
void spin(double seconds) {
  for (volatile int64_t i = int64_t(seconds * turns); i > 0; i = i - 1) {
  }
}

void calibrate() {
  const int64_t n = 50'000'000;
  for (int k = 0; k < 10; k++) {
    double began = now(CLOCK_THREAD_CPUTIME_ID);
    for (volatile int64_t i = n; i > 0; i = i - 1) {
    }
    turns = std::max(turns, n / (now(CLOCK_THREAD_CPUTIME_ID) - began));
  }
}

void restrict_to(int cpus) {
  cpu_set_t set;
  CPU_ZERO(&set);
  for (int i = 0; i < cpus; i++) CPU_SET(i, &set);
  if (sched_setaffinity(0, sizeof set, &set) != 0) {
    perror("sched_setaffinity");
    exit(1);
  }
}

// print writes mean, percentiles and number of some times.
void print(const char* name, Times times) {
  std::sort(times.begin(), times.end());
  double sum = 0;
  for (double t : times) sum += t;
  auto at = [&](double p) { return times.empty() ? 0 : times[size_t(p * (times.size() - 1))]; };
  printf("\"%s\": {\"mean\": %.4g, \"p50\": %.4g, \"p90\": %.4g, \"p99\": %.4g, \"n\": %zu}", name, times.empty() ? 0 : sum / times.size(), at(.5),
         at(.9), at(.99), times.size());
}

// run lets threads run until the time is up.
void run(std::vector<std::thread>& threads, double seconds) {
  std::this_thread::sleep_for(std::chrono::duration<double>(seconds));
  stop = true;
  for (auto& t : threads) t.join();
}

void bursts(int hogs, int others, double burst, double sleep, double seconds) {
  std::vector<std::thread> threads;
  std::vector<Times> responses(others);
  warm = now() + 1;
  for (int i = 0; i < hogs; i++)
    threads.emplace_back([] {
      while (!stop) spin(1e-3);
    });
  for (int i = 0; i < others; i++)
    threads.emplace_back([&, i] {
      prctl(PR_SET_TIMERSLACK, 1);
      std::mt19937_64 random(i + 1);
      std::exponential_distribution<double> bursts(1 / burst), sleeps(1 / sleep);
      while (!stop) {
        double wake = now() + sleeps(random);
        timespec at = {time_t(wake), long(1e9 * (wake - std::floor(wake)))};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr);
        spin(bursts(random));
        if (wake > warm) responses[i].push_back(now() - wake);
      }
    });
  run(threads, seconds + 1);
  Times all;
  for (auto& r : responses) all.insert(all.end(), r.begin(), r.end());
  print("R", all);
}

void lock(int n, double held, double apart, double seconds) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  std::vector<std::thread> threads;
  std::vector<Times> waits(n);
  std::vector<uint64_t> taken(n);
  int last = -1;
  uint64_t again = 0;
  warm = now() + .2;
  double began = 0;
  for (int i = 0; i < n; i++)
    threads.emplace_back([&, i] {
      std::mt19937_64 random(i + 1);
      std::exponential_distribution<double> helds(1 / held), aparts(1 / apart);
      while (!stop) {
        double rest = aparts(random), work = helds(random);
        spin(rest);
        double asked = now();
        pthread_mutex_lock(&mutex);
        double got = now();
        if (got > warm) again += last == i;
        last = i;
        spin(work);
        pthread_mutex_unlock(&mutex);
        if (got > warm) {
          waits[i].push_back(got - asked);
          taken[i]++;
        }
      }
    });
  began = warm;
  run(threads, seconds + .2);
  double took = now() - began;
  Times all;
  uint64_t sum = 0;
  for (int i = 0; i < n; i++) {
    all.insert(all.end(), waits[i].begin(), waits[i].end());
    sum += taken[i];
  }
  printf("\"X\": %.6g, \"again\": %.3f, ", sum / took, double(again) / sum);
  print("W", all);
}

// wake measures the time from a signal to the run of whoever waited for it, and what it costs the waker; the sleeper is on
// the last CPU. Between signals it is left alone until it sleeps.
void wake(int cpus, double seconds) {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  pthread_cond_t signal = PTHREAD_COND_INITIALIZER;
  std::atomic<double> sent{0};
  Times latency, cost;
  auto on = [](int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    sched_setaffinity(0, sizeof set, &set);
  };
  std::thread sleeper([&] {
    on(cpus - 1);
    pthread_mutex_lock(&mutex);
    while (!stop) {
      pthread_cond_wait(&signal, &mutex);
      if (double s = sent; s > 0) latency.push_back(now() - s);
    }
    pthread_mutex_unlock(&mutex);
  });
  on(0);
  for (double end = now() + seconds; now() < end;) {
    if (cpus > 1)
      spin(300e-6);
    else
      std::this_thread::sleep_for(std::chrono::microseconds(300));
    double began = now();
    sent = began;
    pthread_cond_signal(&signal);
    cost.push_back(now() - began);
  }
  stop = true;
  pthread_cond_signal(&signal);
  sleeper.join();
  print("latency", latency);
  printf(", ");
  print("cost", cost);
}

int main(int n, char** a) {
  auto number = [&](int i) { return atof(a[i]); };
  std::string what = n > 2 ? a[1] : "";
  if (!(what == "bursts" && n == 8) && !(what == "lock" && n == 7) && !(what == "wake" && n == 4)) {
    fprintf(stderr, "usage: see the head of threads.cc\n");
    return 2;
  }
  int cpus = atoi(a[2]);
  restrict_to(cpus);
  calibrate();
  printf("{");
  if (what == "bursts")
    bursts(atoi(a[3]), atoi(a[4]), number(5), number(6), number(7));
  else if (what == "lock")
    lock(atoi(a[3]), number(4), number(5), number(6));
  else
    wake(cpus, number(3));
  printf("}\n");
}
