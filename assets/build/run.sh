#!/usr/bin/env bash
# usage: run.sh BIN
# Analyses the bundled web server live (the first time), measures it, and opens
# the window on predicted against measured. Without a display it writes the
# pictures of all pages instead, and without a window a report.
set -euo pipefail
bin=$1
project=.cache/web-server.tier
program=./testdata/programs/go/tornado

if [ ! -f "$project/model/model.json" ]; then
	rm -rf "$project"
	port=8080
	while (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do port=$((port + 1)); done # somebody else's
	# --quick: what is measured below says more than the checks of an analysis.
	echo "Analysing the bundled web server ($program): one run of about half a minute."
	"$bin/tierctl" analyze --quick --out "$project" --load-url http://127.0.0.1:$port/ --load-target /page/%d.html:500 \
		--load-rate 300/s --load-warmup 2s --load-duration 10s "$program" -- -addr "127.0.0.1:$port"
fi
"$bin/tierctl" check "$project"

if [ ! -f "$project/measured/measured.csv" ]; then
	echo "Measuring the plain program in six configurations, to compare with: about 40 seconds."
	priority=()
	if [ "$(id -u)" = 0 ]; then priority=(--priority high); fi
	"$bin/tierctl" measure --model "$project" --grid workers=1,4 --grid rate=300,600,900 \
		--repeats 2 --load-warmup 500ms --load-duration 2s "${priority[@]}" ||
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
