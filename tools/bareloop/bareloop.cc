// bareloop simulates two models of simulation/benchmark_test.go in the barest loop: a binary heap of events, the random numbers, the
// state; no statistics, no model. It says how fast a simulator could be that knows in advance what it simulates.
//
//   g++ -O2 -o bareloop bareloop.cc && ./bareloop
//
// It prints timed completions (arrivals, ends of slices and bursts, of thinking and of disk requests: each is one event) per
// second of CPU time.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <deque>
#include <vector>

// xoshiro256++ (Blackman & Vigna 2021).
struct Random {
  uint64_t s[4];
  explicit Random(uint64_t seed) {
    for (auto& x : s) {  // splitmix64
      seed += 0x9e3779b97f4a7c15;
      uint64_t z = seed;
      z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
      z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
      x = z ^ (z >> 31);
    }
  }
  static uint64_t rotl(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }
  uint64_t next() {
    uint64_t r = rotl(s[0] + s[3], 23) + s[0], t = s[1] << 17;
    s[2] ^= s[0]; s[3] ^= s[1]; s[1] ^= s[2]; s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotl(s[3], 45);
    return r;
  }
};

// Exponential variates by the ziggurat (Marsaglia & Tsang 2000), 256 layers.
struct Ziggurat {
  double x[257], y[257];
  Ziggurat() {
    const double r = 7.69711747013104972, v = 0.0039496598225815571993;
    x[0] = v / std::exp(-r);
    x[1] = r;
    for (int i = 2; i < 256; i++) x[i] = -std::log(v / x[i - 1] + std::exp(-x[i - 1]));
    x[256] = 0;
    for (int i = 0; i <= 256; i++) y[i] = std::exp(-x[i]);
  }
  double draw(Random& g) const {
    for (double shift = 0;;) {
      uint64_t u = g.next();
      int i = u & 255;
      double z = (u >> 11) * 0x1p-53 * x[i];
      if (z < x[i + 1]) return shift + z;
      if (i == 0) { shift += x[1]; continue; }
      double w = (g.next() >> 11) * 0x1p-53;
      if (y[i] + w * (y[i + 1] - y[i]) < std::exp(-z)) return shift + z;
    }
  }
};

static const Ziggurat zig;

struct Event { double at; int32_t kind, id; };

struct Heap {
  std::vector<Event> h;
  void push(Event e) {
    size_t i = h.size();
    h.push_back(e);
    while (i > 0 && e.at < h[(i - 1) / 2].at) { h[i] = h[(i - 1) / 2]; i = (i - 1) / 2; }
    h[i] = e;
  }
  Event pop() {
    Event top = h[0], last = h.back();
    h.pop_back();
    size_t n = h.size(), i = 0;
    if (n == 0) return top;
    for (;;) {
      size_t c = 2 * i + 1;
      if (c >= n) break;
      if (c + 1 < n && h[c + 1].at < h[c].at) c++;
      if (h[c].at >= last.at) break;
      h[i] = h[c];
      i = c;
    }
    h[i] = last;
    return top;
  }
};

static double cpu() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return t.tv_sec + 1e-9 * t.tv_nsec;
}

// M/M/1 at a load of 0.8.
static long mm1(long events) {
  Random g(1);
  Heap heap;
  long waiting = 0, done = 0;
  bool busy = false;
  heap.push({zig.draw(g) / .8, 0, 0});
  for (; done < events; done++) {
    Event e = heap.pop();
    if (e.kind == 0) {
      heap.push({e.at + zig.draw(g) / .8, 0, 0});
      if (busy) waiting++;
      else { busy = true; heap.push({e.at + zig.draw(g), 1, 0}); }
    } else if (waiting > 0) { waiting--; heap.push({e.at + zig.draw(g), 1, 0}); }
    else busy = false;
  }
  return done + (waiting < 0);
}

// Four classes of eight users each, who think, compute on one of four round-robin cores with a quantum of 10 ms, and read from a disk.
static long closedRR(long events) {
  enum { thought, slice, disk };
  const double think[] = {1, .5, .2, .1}, demand[] = {.02, .03, .05, .08}, quantum = .010;
  Random g(1);
  Heap heap;
  std::deque<int> ready, atDisk;
  double left[32];
  int running[4] = {-1, -1, -1, -1};
  double slices[4];
  long done = 0;
  for (int i = 0; i < 32; i++) heap.push({think[i / 8] * zig.draw(g), thought, i});
  auto run = [&](double now, int core, int t) {
    running[core] = t;
    slices[core] = left[t] < quantum ? left[t] : quantum;
    heap.push({now + slices[core], slice, core});
  };
  auto compute = [&](double now, int t) {
    for (int c = 0; c < 4; c++)
      if (running[c] < 0) { run(now, c, t); return; }
    ready.push_back(t);
  };
  for (; done < events; done++) {
    Event e = heap.pop();
    if (e.kind == thought) {
      left[e.id] = demand[e.id / 8] * zig.draw(g);
      compute(e.at, e.id);
    } else if (e.kind == slice) {
      int core = e.id, t = running[core];
      running[core] = -1;
      left[t] -= slices[core];
      if (left[t] > 0) ready.push_back(t);
      else {
        atDisk.push_back(t);
        if (atDisk.size() == 1) heap.push({e.at + .004 * zig.draw(g), disk, 0});
      }
      if (!ready.empty()) { int n = ready.front(); ready.pop_front(); run(e.at, core, n); }
    } else {
      int t = atDisk.front();
      atDisk.pop_front();
      if (!atDisk.empty()) heap.push({e.at + .004 * zig.draw(g), disk, 0});
      heap.push({e.at + think[t / 8] * zig.draw(g), thought, t});
    }
  }
  return done;
}

int main() {
  const long n = 100000000;
  double t = cpu();
  long a = mm1(n);
  double t1 = cpu();
  long b = closedRR(n / 2);
  double t2 = cpu();
  std::printf("mm1 %.1f M/cpu-s\nclosed %.1f M/cpu-s\n", a / (t1 - t) / 1e6, b / (t2 - t1) / 1e6);
}
