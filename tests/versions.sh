#!/usr/bin/env bash
# All files name one version. --version adds the commit of a checkout, except at the tag of a release. Called by ctest: CMAKE VERSION.
set -euo pipefail
cmake=$1 version=$2
here=$(cd "$(dirname "$0")/.." && pwd)
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
cd "$here"

is() { # file, what it has, what is expected
  [ "$2" = "$3" ] || { echo "$1 has '$2', not '$3' (CMakeLists.txt has version $version)" && exit 1; }
}
release=${version%-dev}
debian() { # the version as Debian writes it between releases
  [ "$release" = "$version" ] && echo "$release" || echo "$release~dev"
}
is python/pyproject.toml "$(sed -n 's/^version = "\(.*\)"$/\1/p' python/pyproject.toml)" "$version"
is debian/changelog "$(sed -n '1s/^holonom (\(.*\)) .*/\1/p' debian/changelog)" "$(debian)"
is simulation/holonom.h "$(sed -n 's/^#define HOL_VERSION_\(MAJOR\|MINOR\|PATCH\) *//p' simulation/holonom.h | paste -sd.)" "$release"
is CHANGELOG.md "$(sed -n 's/^## \([0-9.]*\).*/\1/p' CHANGELOG.md | head -1)" "$release"
# CITATION.cff names the newest release.
cited=$(sed -n 's/^## \([0-9.]*\) ([0-9-]*)$/\1/p' CHANGELOG.md | head -1)
is CITATION.cff "$(sed -n 's/^version: //p' CITATION.cff)" "$cited"
is CITATION.cff "$(sed -n 's/^date-released: //p' CITATION.cff)" "$(sed -n "s/^## $cited (\(.*\))$/\1/p" CHANGELOG.md)"

command -v git >/dev/null || exit 77
said() { # folder
  "$cmake" -DROOT="$1" -DVERSION=1.2.3 -DOUTPUT="$box/version.c" -P cmake/version.cmake
  sed -n 's/^const char version_said\[\] = "\(.*\)";$/\1/p' "$box/version.c"
}
says() { # what, folder
  got=$(said "$2")
  [[ $got =~ ^$1$ ]] || { echo "$2: $got, and $1 is wanted" && exit 1; }
}
git() { command git -c user.name=test -c user.email=test@localhost -c commit.gpgSign=false -c tag.gpgSign=false "$@"; }
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
export GIT_CEILING_DIRECTORIES=$box
mkdir -p "$box/plain" "$box/checkout/within"
says 1.2.3 "$box/plain"
git -C "$box/checkout" init -q
echo one >"$box/checkout/file"
says 1.2.3 "$box/checkout" # no commit yet
git -C "$box/checkout" add file
git -C "$box/checkout" commit -qm one
says '1\.2\.3\+git\.[0-9a-f]{9}' "$box/checkout"
says 1.2.3 "$box/checkout/within"
git -C "$box/checkout" tag -am other v1.2.30
says '1\.2\.3\+git\.[0-9a-f]{9}' "$box/checkout"
git -C "$box/checkout" tag -am release v1.2.3
says 1.2.3 "$box/checkout"
echo untracked >"$box/checkout/other"
says 1.2.3 "$box/checkout"
echo two >"$box/checkout/file"
says '1\.2\.3\+git\.[0-9a-f]{9}\.changed' "$box/checkout"

# What has not changed is not written anew, so that nothing is built anew.
touch -d @0 "$box/version.c"
said "$box/checkout" >/dev/null
[ "$(stat -c %Y "$box/version.c")" = 0 ]
