#!/usr/bin/env bash
# usage: test.sh GO TAGS [FLAG...]
# vet and all tests, with further flags of go test: none of those by which it does not
# remember results (-shuffle is one), or every run takes as long as the first.
#
# The race detector makes tests up to twenty times slower, so that they are short under it: more draws of the same kind, what
# one goroutine computes, and other programs that a test starts, show it nothing new. The packages whose tests can be short are tested once
# more, in full, without it and without C.
#
# Without a C compiler or the headers of the window's libraries, and without the right to install them, there is neither the
# race detector nor the window: the tests of everything else run without them, and that is said.
set -euo pipefail
mkdir -p .cache # here already, and not when a test writes there: some ask when this folder was changed
go=$1 tags=$2
shift 2
if "$(dirname "$0")/headers.sh" "$go"; then
	mapfile -t shortened < <(grep -rlE --include='*_test.go' --exclude-dir={testdata,tools,packaging,.cache} 'testing\.Short\(\)|"pgregory\.net/rapid"' . | xargs -n1 dirname | sort -u)
	set -x
	"$go" vet -race -tags "$tags" ./... # as the tests: each package is compiled once
	"$go" test -race -short -vet=off -tags "$tags" -timeout 1h "$@" ./...
	CGO_ENABLED=0 "$go" test -vet=off -tags "$tags" -timeout 1h "$@" "${shortened[@]}"
	exit
fi
export CGO_ENABLED=0
mapfile -t packages < <("$go" list ./... | grep -v -e '^tierscope/gui' -e '^tierscope/cmd/tierscope')
set -x
"$go" vet "${packages[@]}"
"$go" test -vet=off -timeout 1h "$@" "${packages[@]}"
set +x
echo "note: there is no C compiler, or no headers of the window's libraries: the window was not tested, and nothing for data races" >&2
