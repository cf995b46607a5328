#!/usr/bin/env bash
# usage: licences.sh GO
# Prints the licences of everything that is linked into the three programs: of every
# module the files that say so, and of what modules contain from elsewhere.
set -euo pipefail
export LC_ALL=C
cat <<-'TEXT'
	Tierscope is licensed under the Apache License 2.0 (LICENSE). It contains the Go standard
	library and the modules below, each under its own licence.

	tierlayout contains Graphviz (https://graphviz.org) as WebAssembly, in the module
	github.com/goccy/go-graphviz, whose file graphviz.version has its version. Graphviz is
	licensed under the Eclipse Public License 1.0 (https://www.eclipse.org/legal/epl-v10.html).
	Its source is at https://gitlab.com/graphviz/graphviz.
TEXT
"$1" list -deps -tags x11,migrated_fynedo -f '{{with .Module}}{{.Path}} {{.Version}} {{.Dir}}{{end}}' ./cmd/tierscope ./cmd/tierctl ./cmd/tierlayout |
	sort -u | while read -r path version dir; do
	[ "$path" != tierscope ] || continue
	mapfile -t files < <(find "$dir" -maxdepth 1 -type f \( -iname 'LICEN[CS]E*' -o -iname 'COPYING*' -o -iname 'NOTICE*' -o -iname 'PATENTS*' \) | sort)
	if [ ${#files[@]} -eq 0 ]; then
		echo "licences: $path $version has no licence file" >&2
		exit 1
	fi
	printf '\n\n======== %s %s\n' "$path" "$version"
	for file in "${files[@]}"; do
		printf '\n---- %s\n\n' "$(basename "$file")"
		cat "$file"
	done
done
printf '\n\n======== the Go standard library\n\n'
cat "$("$1" env GOROOT)/LICENSE"
