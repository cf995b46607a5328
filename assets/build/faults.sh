#!/usr/bin/env bash
# usage: faults.sh GO N
# Puts every command that writes through every fault, N times each, and prints a table of
# what it survived. It fails with the tests.
set -euo pipefail
go=$1
log=$(mktemp)
trap 'rm -f "$log"' EXIT
TIERSCOPE_FAULTS=$2 "$go" test -count=1 -v -timeout 12h ./cmd/tierctl \
	-run 'TestNothingIsLostByBeingKilled|TestTwoAtOnceLoseNothing|TestAFailedWriteIsSaidAndBreaksNothing|TestAFullDiskIsSaidAndBreaksNothing|TestAReadOnlyDiskIsSaid' |
	tee "$log" | grep -v '^=== '
echo
echo "Nothing was lost, and nothing was left behind:"
sed -n 's/.*fault table: //p' "$log" | sort | awk -F': ' '{ printf "%-22s %-42s %s\n", $1, $2, $3 }'
