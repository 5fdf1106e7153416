#!/usr/bin/env bash
# One example of the papers as `holonom gallery` runs it, called by ctest: PROGRAM NAME FOLDER. 77: a package of Python is missing.
set -euo pipefail
source=$(cd "$(dirname "$0")/.." && pwd)
program=$1 name=$2 folder=$3/$2
"$HOLONOM_PYTHON" -c "import numpy, matplotlib" 2>/dev/null || { echo "skipped: no numpy or no matplotlib" && exit 77; }
rm -rf "$folder"
"$program" gallery --only "$name" -o "$folder"
# Its page has every picture that the kept page has, and the other way round.
pictures() { sed -n 's/^!\[.*](\(.*\/\)\?\([^/]*\.png\))$/\2/p' "$1" | sort; }
diff <(pictures "$source/examples/$name/README.md") <(pictures "$folder/$name/README.md")
