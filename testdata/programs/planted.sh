#!/usr/bin/env bash
# Plants dependencies and looks for them: how often tierctl prolong finds the pair of modules
# that depend on each other, and how often another.
#
#   testdata/programs/planted.sh                     every kind, 10 studies
#   KINDS="memory bandwidth" STUDIES=3 … planted.sh  some of them
#   LANGUAGES=java … planted.sh                      the Java program (lock, queue, cache, none)
#
# memory and bandwidth need a machine with nothing else on it, and two cores.
set -euo pipefail
cd "$(dirname "$0")/../.."
WORK=$(realpath -m "${WORK:-.cache/planted}")
mkdir -p "$WORK"
CGO_ENABLED=0 go build -o "$WORK/tierctl" ./cmd/tierctl

# study LANGUAGE KIND SEED prints what one study finds.
study() {
	local delay=sleep program
	case $2 in memory | bandwidth) delay=memory ;; esac
	case $1 in
	go) program=(--program ./testdata/programs/go/planted -- -kind "$2" -times 40) ;;
	java) program=(--program java -- -cp "$WORK/classes" Planted "$2" 40) ;;
	esac
	"$WORK/tierctl" prolong -q --seed "$3" --delay $delay "${program[@]}" || echo "failed"
}

for language in ${LANGUAGES:-go java}; do
	if [ "$language" = java ]; then javac -d "$WORK/classes" testdata/programs/java/Planted.java; fi
	for kind in ${KINDS:-lock queue cache memory bandwidth none}; do
		if [ "$language $kind" = "java memory" ] || [ "$language $kind" = "java bandwidth" ]; then continue; fi
		found=0 others=0 n=${STUDIES:-10}
		for seed in $(seq "$n"); do
			study "$language" "$kind" "$seed" >"$WORK/$language-$kind-$seed.txt" 2>&1
			pairs=$(grep '^LATENT' "$WORK/$language-$kind-$seed.txt" | grep -o '[A-Z][a-z]* by 1 ms slows [A-Za-z.]*' | sed 's/ by 1 ms slows [A-Za-z]*\./ /' || true)
			case $kind in
			none) planted='^$' ;;
			bandwidth) planted='Brew' ;; # which everything on the other core slows
			*) planted='^(Brew Bake|Bake Brew)$' ;;
			esac
			allowed=$planted
			if [ "$kind" = memory ]; then allowed=Brew; fi # what misses the core's cache waits for who else uses memory
			if [ -n "$pairs" ] && grep -qE "$planted" <<<"$pairs"; then found=$((found + 1)); fi
			if [ -n "$pairs" ] && grep -qvE "$allowed" <<<"$pairs"; then others=$((others + 1)); fi
		done
		echo "$language, $kind: found in $found of $n studies, another in $others"
	done
done
