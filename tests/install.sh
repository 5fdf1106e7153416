#!/usr/bin/env bash
# Installs into a folder of its own, moves that elsewhere, and builds the programs of examples/api against it, in C and in
# C++, by pkg-config (shared and static) and by CMake; runs them, and the installed holonom. Called by ctest: CMAKE BUILD COMPILER.
set -euo pipefail
cmake=$1 build=$2 compiler=$3
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT

"$cmake" --install "$build" --prefix "$box/first" >"$box/log" || { cat "$box/log" && exit 1; }
mv "$box/first" "$box/moved"
prefix=$box/moved

for file in bin/holonom share/holonom/examples/water-cluster/constraint.yaml share/doc/holonom/LICENSE \
  share/man/man1/holonom.1 share/bash-completion/completions/holonom \
  lib/python3/dist-packages/holonom/__init__.py lib/python3/dist-packages/holonom/py.typed; do
  [ -e "$prefix/$file" ] || { echo "$file was not installed" && exit 1; }
done
PKG_CONFIG_PATH=$(dirname "$(find "$prefix" -name holonom.pc)")
export PKG_CONFIG_PATH
lib=$(pkg-config --variable=libdir holonom)

# One header, and its names alone: in the shared library and in the static one.
test "$(cd "$prefix/include" && find . -type f)" = ./holonom.h
declared=$(grep -o 'hol_[a-z_]*(const\|hol_[a-z_]*(hol\|hol_[a-z_]*(void\|hol_[a-z_]*(char' "$prefix/include/holonom.h" |
  sed 's/(.*//' | sort -u)
shown=$(nm -D --defined-only "$lib/libholonom.so" | sed -n 's/^.* T \(.*\)@@HOLONOM_0$/\1/p' | sort)
test "$declared" = "$shown" || { diff <(echo "$declared") <(echo "$shown") || exit 1; }
test "$(nm -D --defined-only "$lib/libholonom.so" | grep -vc ' T hol_.*@@\| A HOLONOM_0')" = 0
# (gcc's locks of critical sections are shared by name)
test -z "$(nm -g --defined-only "$lib/libholonom.a" | grep ' [A-Z] ' | grep -v ' T hol_\|\.gomp_critical')"
objdump -p "$lib/libholonom.so" >"$box/objdump" # (grep -q may end before a pipe is empty)
grep -q 'SONAME  *libholonom.so.0$' "$box/objdump"

# It does not end the program, print, or touch its signals and its locale, and does not fork.
own="_?exit|abort|v?fork|v?printf|puts|putchar|perror|std(out|err)|signal|sigaction|sigprocmask|setlocale|system|chdir|setenv"
test -z "$(nm -D --undefined-only "$lib/libholonom.so" | sed -n 's/^ *U \([^@]*\).*/\1/p' | grep -xE "$own")"

flags="-Wall -Wextra -Wpedantic -Werror ${CFLAGS:-}"
run() { # program: in a folder of its own, where it may write
  mkdir -p "$box/run" && (cd "$box/run" && LD_LIBRARY_PATH=$lib "$1")
}
# shellcheck disable=SC2046,SC2086 # words
for name in water bias rotate every; do
  source=$prefix/share/holonom/examples/api/$name.c
  "$compiler" -std=c99 $flags "$source" -o "$box/$name" $(pkg-config --cflags --libs holonom) -lm
  "$compiler" -std=c++11 $flags -x c++ "$source" -o "$box/$name-c++" $(pkg-config --cflags --libs holonom) -lm
  "$compiler" -std=c99 $flags $(pkg-config --cflags holonom) "$source" -o "$box/$name-static" "$lib/libholonom.a" \
    $(pkg-config --static --libs holonom | sed 's/-lholonom//')
  for program in "$name" "$name-c++" "$name-static"; do
    run "$box/$program" | tee "$box/$program.said"
    cmp "$box/$name.said" "$box/$program.said"
  done
done
grep -q '^mean energy -[0-9.]* kcal/mol$' "$box/water.said"
test "$(wc -l <"$box/run/colvar.csv")" = 1002
grep -q '^[0-9]* of 8000 moves accepted, 1[45][0-9]\.[0-9] K, -[0-9.]* kcal/mol' "$box/rotate.said"

# The program in C++ proper; and both of the kind, and that in Python, know every function.
# shellcheck disable=SC2046,SC2086
"$compiler" -std=c++11 $flags -x c++ "$prefix/share/holonom/examples/api/every.cpp" -o "$box/every-cpp" \
  $(pkg-config --cflags --libs holonom) -lstdc++ -lm
run "$box/every-cpp" >"$box/every-cpp.said"
grep -q '^temperature after 30 fs: [0-9.]* K; 48 multipliers$' "$box/every-cpp.said"
grep -q '^external after 40 steps, 40.0 fs: [0-9.]* kcal/mol on average; a multiplier of the last is there$' "$box/every.said"
for name in every.c every.cpp; do
  for function in $declared; do
    grep -q "$function\\b" "$prefix/share/holonom/examples/api/$name" || { echo "examples/api/$name has no $function" && exit 1; }
  done
done

mkdir "$box/client"
cat >"$box/client/CMakeLists.txt" <<EOF
cmake_minimum_required(VERSION 3.22)
project(client C)
find_package(holonom 0.1 REQUIRED)
add_executable(client $prefix/share/holonom/examples/api/water.c)
target_link_libraries(client holonom::holonom)
EOF
"$cmake" -S "$box/client" -B "$box/client" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_C_COMPILER="$compiler" \
  -DCMAKE_C_FLAGS="${CFLAGS:-}" >/dev/null
"$cmake" --build "$box/client" >/dev/null
"$box/client/client" | cmp - "$box/water.said"

# Python finds the library from where the package lies.
if /usr/bin/python3 -c "import numpy" 2>/dev/null; then
  said=$(PYTHONPATH=$prefix/lib/python3/dist-packages /usr/bin/python3 -c "import holonom; print(holonom._library.library._name)")
  test "$said" -ef "$lib/libholonom.so.0"
  # So does the gallery, with its scripts and the documents' pictures.
  if /usr/bin/python3 -c "import matplotlib" 2>/dev/null; then
    (cd "$box" && HOLONOM_PYTHON=/usr/bin/python3 PYTHONDONTWRITEBYTECODE=1 moved/bin/holonom gallery --only water-cluster -o gallery)
    test "$(find "$box/gallery" -name '*.png' | wc -l)" = 4
  fi
fi

"$prefix/bin/holonom" --version
"$prefix/bin/holonom" check "$prefix/share/holonom/examples/double-pendulum/shake.yaml" >/dev/null
test "$("$prefix/bin/holonom" --version)" = "holonom $(pkg-config --modversion holonom)"
