#!/usr/bin/env bash
# usage: toolchain.sh GO
# Checks that a Go toolchain is there that can build this module.
set -euo pipefail
go=$1
need=$(awk '$1 == "go" {print $2}' go.mod)
if ! command -v "$go" >/dev/null; then
	echo "Go $need or later is needed and \"$go\" was not found in PATH." >&2
	echo "Install it from https://go.dev/dl/ (or set GO=/path/to/go) and try again." >&2
	exit 1
fi
# Go 1.21 and later fetch the toolchain that go.mod asks for by themselves.
if ! "$go" version >/dev/null 2>&1; then
	echo "$("$go" env GOVERSION 2>/dev/null || echo "This Go") cannot build this module, which needs Go $need or later." >&2
	echo "Install it from https://go.dev/dl/ and try again." >&2
	exit 1
fi
have=$(GOTOOLCHAIN=local "$go" env GOVERSION 2>/dev/null | sed 's/^go//')
case $have in
1.[0-9] | 1.[0-9].* | 1.1[0-9] | 1.1[0-9].* | 1.20 | 1.20.*)
	echo "Go $have is too old: this module needs Go $need or later. Install it from https://go.dev/dl/ and try again." >&2
	exit 1
	;;
esac
