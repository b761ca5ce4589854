#!/usr/bin/env bash
# The main job on a bundled example: 60 cities, 40 people, "is Paris nearer to London or to Lima?"
set -euo pipefail
cd "$(dirname "$0")/.."
tertium=$PWD/build/tertium
output=$(mktemp -d)
trap 'rm -rf "$output"' EXIT
cp examples/cities/answers.csv examples/cities/cities.csv "$output"
cd "$output"

run() {
  if [ -t 1 ] && [ -z "${NO_COLOR:-}" ]; then
    printf '\n\033[1m$ tertium %s\033[0m\n' "$*"
  else
    printf '\n$ tertium %s\n' "$*"
  fi
  "$tertium" "$@"
}

run check answers.csv --items cities.csv
run cluster answers.csv --items cities.csv --truth cities.csv --truth-label region -o results

printf '\nThe answers never said where a city lies. Cluster by cluster:\n'
for cluster in 1 2 3 4 5; do
  printf '  %s: ' "$cluster"
  awk -F, -v c="$cluster" '$2 == c { printf "%s%s", s, $1; s = ", " } END { print "" }' results/labels.csv
done

# What is proved can be checked by somebody who has only the answers.
run sdp answers.csv --items cities.csv --clusters 5 --certificate bound.json
run verify bound.json answers.csv --items cities.csv
