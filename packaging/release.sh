#!/usr/bin/env bash
# usage: release.sh [VERSION]
# Builds everything that a release has into dist/release, the same bytes for the same
# commit on any machine with the same C compiler (the window alone needs one):
#   tierctl and tierlayout for Linux, macOS and Windows as .tar.gz
#   the window with them for Linux as .deb, .rpm and .tar.gz
#   licences of what is linked, a bill of materials, checksums
# It is built by the Go that go.mod names as its toolchain, which the go command fetches if it is another one. VERSION is by default that of the tag; without a tag, 0.0.0 with the commit. PLATFORMS names
# fewer than all.
set -euo pipefail
cd "$(dirname "$0")/.."
go=${GO:-go}
version=${1:-$(git describe --tags --match 'v[0-9]*' --always --dirty)}
case $version in
v[0-9]*) version=${version#v} ;;
*) version=0.0.0+$version ;; # no tag in sight
esac
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct)
export SOURCE_DATE_EPOCH TZ=UTC LC_ALL=C VERSION=$version
export GOFLAGS="-buildvcs=false -trimpath"
GOTOOLCHAIN=$(awk '$1 == "toolchain" { print $2 }' go.mod)
export GOTOOLCHAIN
out=dist/release
rm -rf "$out" && mkdir -p "$out"
umask 022
pgo=-pgo=simulation/profile.pgo
ldflags="-s -w -buildid= -X main.version=$version"

# pack NAME FOLDER: a .tar.gz of the folder, without anything of this machine.
pack() {
	tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner -C "$(dirname "$2")" -cf - "$(basename "$2")" |
		gzip -n -9 >"$out/$1.tar.gz"
}

stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
"$go" build -o "$stage/tools/" ./cmd/tierctl
(cd packaging && "$go" build -o "$stage/tools/" ./bom github.com/goreleaser/nfpm/v2/cmd/nfpm)
packaging/licences.sh "$go" >"$stage/THIRD_PARTY"
gzip -n -9 -c CHANGELOG.md >"$stage/changelog.gz"
"$stage/tools/tierctl" man "$stage/man"
gzip -n -9 "$stage"/man/*
mkdir "$stage/completion"
for shell in bash zsh fish; do "$stage/tools/tierctl" completion "$shell" >"$stage/completion/$shell"; done

for platform in ${PLATFORMS:-linux/amd64 linux/arm64 darwin/amd64 darwin/arm64 windows/amd64 windows/arm64}; do
	name=tierctl-$version-${platform/\//-}
	echo "building $name"
	mkdir "$stage/$name"
	GOOS=${platform%/*} GOARCH=${platform#*/} CGO_ENABLED=0 "$go" build "$pgo" -ldflags "$ldflags" -o "$stage/$name/" ./cmd/tierctl ./cmd/tierlayout
	cp LICENSE README.md CHANGELOG.md "$stage/THIRD_PARTY" "$stage/$name/"
	pack "$name" "$stage/$name"
done

# The window is built for the machine that we are on: its C parts have no cross compiler here.
arch=$("$go" env GOARCH)
echo "building tierscope-$version for linux/$arch"
window=$stage/tierscope-$version
mkdir "$window"
CGO_ENABLED=1 "$go" build "$pgo" -tags x11,migrated_fynedo -ldflags "$ldflags -extldflags=-Wl,--build-id=none" -o "$window/" ./cmd/tierscope
cp "$stage/tierctl-$version-linux-$arch"/{tierctl,tierlayout,THIRD_PARTY} LICENSE CHANGELOG.md "$window/"
cp -r assets/samples packaging/linux assets/icon.png assets/icon.svg "$window/"
pack "tierscope-$version-linux-$arch" "$window"

find "$stage" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
export STAGE=$stage WINDOW=$window ARCH=$arch
for format in deb rpm; do "$stage/tools/nfpm" package --config packaging/nfpm.yaml --packager "$format" --target "$out/"; done
"$stage/tools/bom" -version "$version" -epoch "$SOURCE_DATE_EPOCH" "$window/tierscope" "$window/tierctl" "$window/tierlayout" >"$out/tierscope-$version.cdx.json"
cp "$stage/THIRD_PARTY" "$out/THIRD_PARTY"
(cd "$out" && sha256sum -- * >"$stage/sums" && mv "$stage/sums" SHA256SUMS)
cat "$out/SHA256SUMS"
