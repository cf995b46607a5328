#!/usr/bin/env bash
# usage: fuzz.sh GO DURATION
# Runs every fuzz target of the module for DURATION, one after the other.
set -euo pipefail
go=$1 duration=$2
for package in $(grep -rl --include='*_test.go' '^func Fuzz' . | xargs -n1 dirname | sort -u); do
	for target in $(grep -h --include='*_test.go' -o '^func Fuzz[A-Za-z0-9_]*' "$package"/*_test.go | cut -d' ' -f2 | sort -u); do
		echo "== $package $target"
		"$go" test -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -fuzzminimizetime 10x "$package"
	done
done
