#!/usr/bin/env bash
# Programs of Debian as they are, stripped, in C and C++: a model from one run of each with two threads, then the time with
# 1, 2 and 4 threads on 1 and 2 cores, predicted and measured. Prints a table: grade, overhead, mean |ε| of T; results are in WORK/native-*.json.
#
#   apt-get install pigz xz-utils zstd pbzip2 lbzip2 plzip pixz x264 p7zip-full
#   testdata/programs/debian.sh            all, in about 15 minutes; what is not installed is left out
#   testdata/programs/debian.sh pigz xz    these
#
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
	rm -rf "$name.tier"
	if ! "$TIERCTL" analyze -q --out "$name.tier" -- "$@" >"$name.txt" 2>&1; then
		printf '%-8s %s\n' "$name" "$(tail -1 "$name.txt")"
		return
	fi
	if "$TIERCTL" show --knobs "$name.tier" | grep "^$knob " >/dev/null; then grid+=(--how "$knob=$how" --grid "$knob=1,2,4"); fi
	"$TIERCTL" measure -q --model "$name.tier" "${grid[@]}" --repeats "${REPEATS:-2}" >/dev/null
	"$TIERCTL" validate -q --metric T --format json "$name.tier" >"$name.json" || true
	"$TIERCTL" accuracy record -q --subject "native-$name" --title "$name" --area native --project "$name.tier" --load "${LOAD:-}" "$WORK" <"$name.json" || true
	printf '%-8s %-42s %s\n' "$name" "$(sed -n 's/^trust \(.\).*overhead \(.*\)/\1, overhead \2/p' "$name.txt")" "$("$TIERCTL" validate -q --metric T "$name.tier" | grep -o -m1 'T: mean .*')"
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
