#!/usr/bin/env bash
# Programs of Debian as they are, stripped, in C and C++: a model from one run of each with two threads, then the time with
# 1, 2 and 4 threads on 1 and 2 cores, predicted and measured; of servers, on one core, response times under other loads. Prints a
# table: grade, overhead, mean |ε| of T or R; results are in WORK/native-*.json.
#
#   apt-get install pigz xz-utils zstd pbzip2 lbzip2 plzip pixz x264 p7zip-full memcached nginx-light
#   testdata/programs/debian.sh            all, in about 15 minutes; what is not installed is left out
#   testdata/programs/debian.sh pigz xz    these
#
# nginx and memcached listen at ports 8097 and 11299 of 127.0.0.1, which have to be free.
# WORK is the folder for models and measurements (default .cache/debian), REPEATS runs of each configuration (default 2).
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/debian}")
mkdir -p "$WORK"
TIERCTL=${TIERCTL:-$WORK/tierctl}
[ -x "$TIERCTL" ] || CGO_ENABLED=0 go build -o "$TIERCTL" ./cmd/tierctl
cd "$WORK"
# Text that is neither all alike nor noise, and moving stripes.
[ -e d24 ] || awk 'BEGIN { srand(1); for (i = 0; i < 1200000; i++) printf "%x %d\n", rand() * 2 ^ 40, int(rand() * 1e5) % 977 }' | head -c 24000000 >d24
head -c 12000000 d24 >d12
head -c 6000000 d24 >d6
[ -e v.y4m ] || python3 - <<'PYTHON'
import random
random.seed(1)
w, h = 640, 360
rows = [bytes(random.randrange(256) // (1 + (x // 16 + y // 16) % 5) for x in range(2 * w)) for y in range(h)]
with open("v.y4m", "wb") as f:
    f.write(b"YUV4MPEG2 W640 H360 F25:1 Ip A1:1 C420\n")
    for k in range(60):
        f.write(b"FRAME\n" + b"".join(r[(3 * k + k * y // 70) % w:][:w] for y, r in enumerate(rows)) + bytes([128]) * (w * h // 2))
PYTHON
wanted=" $* "
one() { # NAME KNOB HOW -- COMMAND: the parameter of the model that says how many threads, and how the program is told, which tierctl measure takes
	local name=$1 knob=$2 how=$3 grid=(--grid cores=1,2)
	shift 4
	[ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
	command -v "$1" >/dev/null || return 0
	if ! model "$name" -- "$@"; then return; fi
	if "$TIERCTL" show --knobs "$name.tier" | grep "^$knob " >/dev/null; then grid+=(--how "$knob=$how" --grid "$knob=1,2,4"); fi
	compare "$name" T "${grid[@]}"
}
model() { # NAME FLAGS -- COMMAND
	local name=$1
	shift
	rm -rf "$name.tier"
	"$TIERCTL" analyze -q --out "$name.tier" "$@" >"$name.txt" 2>&1 && return
	printf '%-8s %s\n' "$name" "$(tail -1 "$name.txt")"
	return 1
}
compare() { # NAME METRIC GRID
	local name=$1 metric=$2
	shift 2
	"$TIERCTL" measure -q --model "$name.tier" "$@" --repeats "${REPEATS:-2}" >/dev/null
	"$TIERCTL" validate -q --metric T --metric R --metric X --format json "$name.tier" >"$name.json" || true
	"$TIERCTL" accuracy record -q --subject "native-$name" --title "$name" --area native --project "$name.tier" --load "${LOAD:-}" "$WORK" <"$name.json" || true
	printf '%-8s %-42s %s\n' "$name" "$(sed -n 's/^trust \(.\).*overhead \(.*\)/\1, overhead \2/p' "$name.txt")" "$("$TIERCTL" validate -q --metric "$metric" "$name.tier" | grep -o -m1 "$metric: mean .*")"
}
server() { # NAME FLAGS OF THE LOAD -- GRID -- COMMAND
	local name=$1 load=() grid=()
	shift
	while [ "$1" != -- ]; do load+=("$1") && shift; done
	shift
	while [ "$1" != -- ]; do grid+=("$1") && shift; done
	shift
	[ "$wanted" = "  " ] || [[ $wanted == *" $name "* ]] || return 0
	command -v "$1" >/dev/null || return 0
	if model "$name" --cpus 1 --load-warmup 1s --load-duration 5s "${load[@]}" -- "$@"; then compare "$name" R --priority "${PRIORITY-rt}" "${grid[@]}"; fi
}
one pigz p '-p {value}' -- pigz -p 2 -k -c d24
one xz t '-T {value}' -- xz -T 2 -0 --block-size=1MiB -k -c d24
one zstd t 'argument 1 -T{value}' -- zstd -T2 -10 -B1048576 -k -c d24
one pbzip2 p 'argument 1 -p{value}' -- pbzip2 -p2 -b3 -k -c d12
one lbzip2 n '-n {value}' -- lbzip2 -n 2 -k -c d12
one plzip n '-n {value}' -- plzip -n 2 -0 -k -c d24
one x264 threads '--threads {value}' -- x264 --threads 2 --preset veryfast --quiet --no-progress --muxer raw -o /dev/null v.y4m
one sort parallel '--parallel={value}' -- sort --parallel=2 -S 500M d24
one 7z mmt '-mmt={value}' -- /usr/lib/p7zip/7z a -tbzip2 -mmt=2 -mx1 -so x d6
one pixz p '-p {value}' -- pixz -p 2 -0 -k -i d24 -o /dev/null
# A page that is compressed anew for each request, read by the threads of a pool.
mkdir -p html
head -c 100000 d24 >html/page.txt
cat >nginx.conf <<CONF
daemon off;
master_process off;
error_log $WORK/nginx.log;
pid $WORK/nginx.pid;
thread_pool readers threads=2;
events { worker_connections 1024; }
http {
	access_log off;
	sendfile off;
	gzip on;
	gzip_types text/plain;
	types { text/plain txt; }
	server {
		listen 127.0.0.1:8097;
		root $WORK/html;
		aio threads=readers;
	}
}
CONF
server nginx --load-url http://127.0.0.1:8097/page.txt --load-header 'Accept-Encoding: gzip' --load-rate 120/s -- --grid rate=60,120,180,240,300 -- /usr/sbin/nginx -c "$WORK/nginx.conf"
server memcached --load-url tcp://127.0.0.1:11299 --load-target 'get k%d:1000' --load-end END --load-rate 2000/s -- --grid t=1,2,4 --grid rate=1000,2000,3000 -- \
	/usr/bin/memcached -u nobody -t 2 -l 127.0.0.1 -p 11299
