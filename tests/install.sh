#!/usr/bin/env bash
# Installs into a folder of its own, moves that elsewhere, builds a small program against it through
# pkg-config alone and runs that, and the installed holonom. Called by ctest: CMAKE BUILD COMPILER.
set -euo pipefail
cmake=$1 build=$2 compiler=$3
here=$(cd "$(dirname "$0")" && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

"$cmake" --install "$build" --prefix "$box/first" >"$box/log" || { cat "$box/log" && exit 1; }
mv "$box/first" "$box/moved"
prefix=$box/moved

for file in bin/holonom share/holonom/examples/water-cluster/constraint.yaml share/doc/holonom/LICENSE \
  share/man/man1/holonom.1 share/bash-completion/completions/holonom; do
  [ -e "$prefix/$file" ] || { echo "$file was not installed" && exit 1; }
done
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name holonom.pc)")
export PKG_CONFIG_PATH

# Every public header stands alone, and needs none that stayed behind.
(cd "$prefix/include/holonom" && find . -name '*.h' | sort | sed 's|^\./\(.*\)|#include "\1"|') >"$box/all.c"
grep -q '"engine/state.h"' "$box/all.c"
while read -r line; do
  echo "$line" | "$compiler" -std=gnu17 -Wall -Wextra -Werror -fsyntax-only -x c - \
    $(pkg-config --cflags holonom) || { echo "$line does not stand alone" && exit 1; }
done <"$box/all.c"

cd "$box"
# shellcheck disable=SC2046,SC2086 # words
"$compiler" -std=gnu17 -Wall -Wextra -Werror ${CFLAGS:-} "$here/install_client.c" -o client \
  $(pkg-config --cflags --libs holonom)
./client "$prefix/share/holonom/examples/water-cluster/constraint.yaml"
"$prefix/bin/holonom" --version
"$prefix/bin/holonom" check "$prefix/share/holonom/examples/water-cluster/penalty.yaml" >/dev/null
test "$("$prefix/bin/holonom" --version)" = "holonom $(pkg-config --modversion holonom)"
