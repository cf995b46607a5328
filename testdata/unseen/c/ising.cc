// ising: the magnetization of a lattice of spins, swept like a chess board: black fields, then white ones.
// usage: ising [--threads N] [--size N] [--sweeps N]
#include <barrier>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <latch>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

struct Options {
	int threads = 3, size = 600, sweeps = 150;
};

static Options parse(int argc, char **argv)
{
	Options o;
	for (int i = 1; i + 1 < argc; i += 2) {
		std::string_view name = argv[i];
		int value = std::atoi(argv[i + 1]);
		if (name == "--threads") o.threads = value;
		else if (name == "--size") o.size = value;
		else if (name == "--sweeps") o.sweeps = value;
		else std::exit(2);
	}
	return o;
}

class Lattice {
public:
	explicit Lattice(int size) : size(size), spins(size * size, 1) {}

	// Sweeps the rows from first to before past that have this colour.
	void sweep(int first, int past, int colour, uint64_t &state)
	{
		for (int y = first; y < past; y++)
			for (int x = (y + colour) % 2; x < size; x += 2) {
				int around = at(x - 1, y) + at(x + 1, y) + at(x, y - 1) + at(x, y + 1);
				double cost = 2 * at(x, y) * around;
				state = state * 6364136223846793005u + 1442695040888963407u;
				if (cost <= 0 || std::exp(-cost / 2.3) > (state >> 11) * 0x1p-53)
					spins[y * size + x] = -spins[y * size + x];
			}
	}

	double magnetization() const
	{
		long sum = 0;
		for (int8_t s : spins) sum += s;
		return double(sum) / spins.size();
	}

private:
	int at(int x, int y) const { return spins[(y + size) % size * size + (x + size) % size]; }

	int size;
	std::vector<int8_t> spins;
};

int main(int argc, char **argv)
{
	const Options o = parse(argc, argv);
	Lattice lattice(o.size);
	std::latch ready(o.threads);
	std::barrier swept(o.threads);
	{
		std::vector<std::jthread> threads;
		for (int id = 0; id < o.threads; id++)
			threads.emplace_back([&, id] {
				uint64_t state = 99 + id;
				int first = o.size * id / o.threads, past = o.size * (id + 1) / o.threads;
				ready.arrive_and_wait();
				for (int sweep = 0; sweep < o.sweeps; sweep++)
					for (int colour = 0; colour < 2; colour++) {
						lattice.sweep(first, past, colour, state);
						swept.arrive_and_wait();
					}
			});
	}
	std::printf("%.4f\n", lattice.magnetization());
}
