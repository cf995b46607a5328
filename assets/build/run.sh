#!/usr/bin/env bash
# usage: run.sh BIN
# Analyses the bundled web server live (the first time), measures it, and opens
# the window on predicted against measured. Without a display it writes the
# pictures of all pages instead.
set -euo pipefail
bin=$1
project=.cache/web-server.tier
program=./testdata/programs/go/tornado

if [ ! -f "$project/model/model.json" ]; then
	rm -rf "$project"
	echo "Analysing the bundled web server ($program): one run of about half a minute."
	"$bin/tierctl" analyze --out "$project" --load-url http://127.0.0.1:8080/ --load-target /page/0.html \
		--load-target /page/1.html --load-target /page/2.html --load-target /page/3.html \
		--load-rate 300/s --load-warmup 2s --load-duration 10s "$program"
fi
"$bin/tierctl" check "$project"

if [ -n "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ]; then
	exec "$bin/tierscope" --page validate "$project"
fi
echo "There is no display, so the window cannot open; writing pictures of its pages to dist/pages."
"$bin/tierscope" --screenshot dist/pages "$project"
