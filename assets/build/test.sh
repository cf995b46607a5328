#!/usr/bin/env bash
# usage: test.sh GO TAGS [FLAG...]
# vet and all tests, under the race detector, with further flags of go test: none of those by which it does not
# remember results (-shuffle is one), or every run takes as long as the first. Without a C compiler or the headers of the
# window's libraries, and without the right to install them, there is neither the race detector nor
# the window: the tests of everything else run without them, and that is said.
set -euo pipefail
go=$1 tags=$2
shift 2
if "$(dirname "$0")/headers.sh" "$go"; then
	set -x
	"$go" vet -race -tags "$tags" ./... # as the tests: each package is compiled once
	"$go" test -race -tags "$tags" -timeout 1h "$@" ./...
	exit
fi
export CGO_ENABLED=0
mapfile -t packages < <("$go" list ./... | grep -v -e '^tierscope/gui' -e '^tierscope/cmd/tierscope')
set -x
"$go" vet "${packages[@]}"
"$go" test -timeout 1h "$@" "${packages[@]}"
set +x
echo "note: there is no C compiler, or no headers of the window's libraries: the window was not tested, and nothing for data races" >&2
