#!/usr/bin/env bash
# The worked diffs of docs/developing.md apply to the sources as they are, alone and together, and what they touch compiles without
# warnings; a key that the table of keys lacks does not compile. Called by ctest: COMPILER.
set -euo pipefail
compiler=$1
here=$(cd "$(dirname "$0")/.." && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$here"
cp -r base engine formula topology results thermostat forcefields integrators methods observables io config simulation cmd tests "$box"
cd "$box"
compiles() {
  "$compiler" -std=gnu17 -fsyntax-only -fopenmp -Wall -Wextra -Wshadow -Wconversion -Wno-psabi -Wno-missing-field-initializers \
    -Wno-sign-conversion -Werror -I. -D_GNU_SOURCE -DHOLONOM_PLAIN -DISA_NAME=plain -DHOLONOM_VERSION='""' "$1"
}
found=0
for patch in "$here"/docs/patches/*.diff; do
  found=$((found + 1))
  patch -p1 -s -f --fuzz=0 <"$patch" || { echo "$patch does not apply any more" && exit 1; }
  while read -r file; do
    compiles "$file" || { echo "$file does not compile after $patch" && exit 1; }
  done < <(sed -n 's|^+++ b/\(.*\.c\)$|\1|p' "$patch")
done
echo "$found worked diffs apply and compile"
test "$found" -gt 7
sed -i 's/KEY(integrator_timestep)/KEY(integrator_timestpe)/' config/config.c
wrong=$(compiles config/config.c 2>&1) && { echo "a key that is not in the table compiles" && exit 1; }
grep -q KEY_integrator_timestpe <<<"$wrong"
