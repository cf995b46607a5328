#!/usr/bin/env bash
# usage: run.sh BIN
# Analyses a bundled program live (the first time), measures it, and opens
# the window on predicted against measured. Without a display it writes the
# pictures of all pages instead, and without a window a report.
#
# The program computes for a second: of one that answers in half a millisecond a virtual machine decides most, by how
# long it takes to wake a processor.
set -euo pipefail
bin=$1
project=.cache/renderer.tier
program=./testdata/programs/go/tiles

if [ ! -f "$project/model/model.json" ]; then
	rm -rf "$project"
	# --quick: what is measured below says more than the checks of an analysis.
	echo "Analysing the bundled renderer ($program): some runs of a second, half a minute in all."
	"$bin/tierctl" analyze --quick --out "$project" "$program" -- -workers 2
fi
"$bin/tierctl" check "$project"

if [ ! -f "$project/measured/measured.csv" ]; then
	echo "Measuring the plain program in eight configurations, to compare with: about half a minute."
	priority=()
	if [ "$(id -u)" = 0 ]; then priority=(--priority high); fi
	"$bin/tierctl" measure --model "$project" --grid workers=1,2,4,8 --grid GOMAXPROCS=1,2 --repeats 3 "${priority[@]}" ||
		echo "The measurement failed; the window opens on the predictions alone."
fi

if [ ! -x "$bin/tierscope" ]; then
	mkdir -p dist
	"$bin/tierctl" report "$project" --out dist/report.html
	echo "The window could not be built, for want of the C libraries above; dist/report.html has what it would show first."
	exit
fi
if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	exec "$bin/tierscope" --page validate "$project"
fi
pictures=dist/pages
of=$({ cat "$bin/tierscope" "$project/model/model.json" "$project"/measured/*.csv 2>/dev/null || true; } | sha256sum) # a measurement may have failed
if [ "$(cat "$pictures/made-of" 2>/dev/null)" = "$of" ]; then
	echo "There is no display, so the window cannot open; the pictures of its pages in $pictures are of this program and this project."
	exit
fi
echo "There is no display, so the window cannot open; writing pictures of its pages to $pictures."
rm -rf "$pictures"
"$bin/tierscope" --screenshot "$pictures" "$project"
echo "$of" >"$pictures/made-of"
