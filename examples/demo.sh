#!/usr/bin/env bash
# The main job on a bundled example: 60 cities, 40 people, "is Paris nearer to London or to Lima?"
set -euo pipefail
cd "$(dirname "$0")/.."
tertium=build/tertium
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT

say() { printf '\n\033[1m$ %s\033[0m\n' "$*"; }
[ -t 1 ] && [ -z "${NO_COLOR:-}" ] || say() { printf '\n$ %s\n' "$*"; }

say tertium check examples/cities/answers.csv --items examples/cities/cities.csv
"$tertium" check examples/cities/answers.csv --items examples/cities/cities.csv

say tertium similarity examples/cities/answers.csv --items examples/cities/cities.csv -o cities.sim
cp examples/cities/answers.csv examples/cities/cities.csv "$output"
(cd "$output" && "$OLDPWD/$tertium" similarity answers.csv --items cities.csv -o cities.sim)
