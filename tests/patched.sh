#!/usr/bin/env bash
# The program with all worked diffs of docs/developing.md in it does what they say: it is built and run. Called by ctest: CMAKE COMPILER.
set -euo pipefail
here=$(cd "$(dirname "$0")/.." && pwd)
compiler=$2
if clang -fopenmp -fsyntax-only -x c - <<<'#include <omp.h>' 2>/dev/null; then
  compiler=clang # without optimisation it takes half as long
fi
box=$(mktemp -d)
trap 'rm -rf "$box"' EXIT
export CCACHE_BASEDIR=$box # where the compiler is ccache
cd "$here"
git ls-files -z --cached --others --exclude-standard 2>/dev/null | xargs -0 -r cp --parents -t "$box" 2>/dev/null || true
[ -f "$box/CMakeLists.txt" ] || tar c --exclude='./build*' . | tar x -C "$box" # a copy without its history
cd "$box"
for patch in docs/patches/*.diff; do
  patch -p1 -s -f --fuzz=0 <"$patch" || { echo "$patch does not apply any more" && exit 1; }
done
"$1" -S . -B b -G Ninja -DCMAKE_C_COMPILER="$compiler" -DCMAKE_BUILD_TYPE=Debug -DCMAKE_C_FLAGS_DEBUG=-O0 -DHOLONOM_ISAS=plain \
  -DHOLONOM_TESTS=OFF -DHOLONOM_HDF5=OFF -DHOLONOM_WERROR=OFF >/dev/null # patches.sh looks at warnings
"$1" --build b --target holonom libholonom_shared >log 2>&1 || { grep -A12 FAILED log && exit 1; }
holonom=$box/b/holonom
mkdir runs && cd runs

fail() { echo "$1" && exit 1; }
# Rows of a table below its head.
rows() { grep -vcE '^(#|[a-z])' "$1" || true; }
seven() { "$holonom" run "$here/examples/water-cluster/constraint.yaml" --quiet -o "$1" --set integrator.steps=200 --set system.anneal=false \
  --set output.equilibration=0 --set output.thermo_every=20 "${@:2}"; }

seven map --set integrator.acceleration=limited || fail "acceleration-map.diff: no run"
seven solver --set geometry.method=rattle --set geometry.solver=symmetric-newton || fail "constraint-solver.diff: no run"
seven model --set system.model=tip4pd || fail "water-model.diff: no run"
seven tracks --set 'output.trajectory=[arc]' --set output.trajectory_every=50 || fail "trajectory-format.diff: no run"
"$holonom" frames tracks/trajectory.arc >said || fail "command.diff: no answer"
grep -q '^tracks/trajectory.arc: 5 frames of 21 atoms$' said || fail "command.diff: $(cat said)"
"$holonom" rdf tracks/trajectory.arc -o observed >/dev/null || fail "trajectory-format.diff: not read"

seven slit --set system.slit.width='3 A' --set system.slit.stiffness=5 || fail "force.diff: no run"
head -1 slit/thermo.csv | grep -q ',slit_energy,' || fail "force.diff: its energy is no column"
"$holonom" check "$here/examples/water-cluster/constraint.yaml" --set system.slit.width=-1 2>said && fail "force.diff: taken"
grep -q 'system.slit.width' said || fail "force.diff: $(cat said)"

box() { "$holonom" run "$here/examples/bulk-water/tip3p-884.yaml" --quiet -o "$1" --set system.molecules=216 --set system.box=18.8 \
  --set integrator.steps=60 --set output.equilibration=0 --set output.thermo_every=5 "${@:2}"; }
box box --set output.density_every=10 --set output.density_width=1 --set 'output.trajectory=[gro]' --set output.trajectory_every=20 ||
  fail "observable.diff: no run"
[ "$(rows box/density.csv)" = 19 ] || fail "observable.diff: $(rows box/density.csv) bins of a box of 18.8 A, not 19"
"$holonom" observe density --density-width 2 box/trajectory.gro --model tip3p -o profile >/dev/null || fail "observable.diff: observe"
[ "$(rows profile/density.csv)" = 9 ] || fail "observable.diff: $(rows profile/density.csv) bins of 2 A, not 9"

# One row and one function, and the quantity is in CSV, page, plot, comparison and Python.
box other --set seed=2 || fail "quantity.diff: no run"
head -1 box/thermo.csv | grep -q ',vaporisation,' && head -1 box/replicas.csv | grep -q ',vaporisation,' || fail "quantity.diff: not in CSV"
grep -q '<td>vaporisation</td>' box/report.html || fail "quantity.diff: not on the page"
grep -q '"label":"vaporisation","x":' box/report.html || fail "quantity.diff: not among the curves against time"
"$holonom" compare box other -o compared >said || fail "quantity.diff: $(cat said)"
grep -q '^heat of vaporisation, kcal/mol: ' said && grep -q '"heat of vaporisation","kcal/mol"' compared/compare.csv || fail "quantity.diff: not compared"
python3 - "$box" <<'EOF' || fail "quantity.diff: not in Python"
import ctypes, importlib.util, json, os, sys
library = sys.argv[1] + "/b/libholonom.so"
unit = ctypes.CDLL(library).hol_table_unit
unit.restype = ctypes.c_char_p
assert unit(b"thermo", b"vaporisation_err") == b"kcal/mol"
number, = (n for n in json.load(open("box/results.json"))["numbers"] if n["name"] == "vaporisation")
assert 9 < number["value"] < 12 and number["error"] > 0 and number["unit"] == "kcal/mol"
if importlib.util.find_spec("numpy"):
    os.environ["HOLONOM_LIBRARY"] = library
    sys.path.insert(0, sys.argv[1] + "/python")
    import holonom
    run = holonom.Results("box")
    assert run["thermo"].units["vaporisation"] == "kcal/mol" and run.summary["vaporisation"] == number["value"]
    assert abs(run["thermo"]["vaporisation"].mean() - number["value"]) < 1e-6
EOF

# One row and one function, and a coordinate is held and measured. The spring of 500 kcal/mol/A^2 leaves 0.035 A of fluctuation at 300 K.
cat >pair.yaml <<'EOF'
format: holonom-molecules 1
rule: geometric
types: {X: [3.4, 0]}
molecules:
  pair:
    atoms: [[A, X, 0, 20], [B, X, 0, 20]]
    terms: {bond: [[1, 2, 4, 5]]}
system: [[pair, 1]]
EOF
printf '2\npair\nA 0 0 0\nB 4 0 0\n' >pair.xyz
cat >held.yaml <<'EOF'
system: {topology: pair.yaml, file: pair.xyz, minimise: false}
restraints: [{coordinate: axial, atoms: [index 0, index 1], k: 500, centre: 2.5 A}]
integrator: {word: BAOAB, timestep: 2 fs, steps: 4000}
thermostat: {temperature: 300 K, friction: 5/ps}
ensemble: {replicas: 16}
output: {equilibration: 2 ps, thermo_every: 20, report: false, progress: false, axial_distances: [{name: v, atoms: [index 0, index 1]}]}
EOF
"$holonom" run held.yaml --quiet -o held || fail "coordinate.diff: no run"
python3 - <<'EOF' || fail "coordinate.diff: not held where it is to be"
import json
mean, = (n["value"] for n in json.load(open("held/results.json"))["numbers"] if n["name"] == "mean")
print("distance from the axis", mean)
raise SystemExit(abs(mean - 2.5) > 0.02)
EOF

code=0
seven key --set thermostat.temperature='10 K' --set thermostat.ramp='5 K' 2>said || code=$?
[ "$code" = 2 ] && grep -q 'thermostat.ramp: .*is below thermostat.temperature' said || fail "key.diff: $code, $(cat said)"
"$holonom" check "$here/examples/water-cluster/constraint.yaml" --set thermostat.ramp='350 K' --set system.anneal=false >said || fail "key.diff: $(cat said)"

"$holonom" run "$here/examples/double-triple-pendulum/double.yaml" --quiet -o pendulum --set integrator.steps=1000 || fail "writer.diff: no run"
[ "$(rows pendulum/speeds.csv)" = 11 ] || fail "writer.diff: $(rows pendulum/speeds.csv) rows of speeds.csv, not 11"

# Of rotors by a bath: <cos(x1 - x2)> = I1(b)/I0(b) with b = coupling/kT = 1; that they are a ring changes less than 1e-5 of it.
sed -n '/^system: {rotors:/,/^```$/p' "$here/docs/developing.md" | sed '$d' | sed '1i units: reduced' >rotors.yaml
"$holonom" run rotors.yaml --quiet -o rotors --set thermostat.inverse_temperature=0.5 --set ensemble.replicas=32 \
  --set integrator.steps=4000 --set output.equilibration=10 || fail "sort.diff: no run"
python3 - <<'EOF' || fail "sort.diff: not the order of rotors at that temperature"
import re
text = open("rotors/summary.yaml").read()
mean, error = map(float, re.search(r"^ *order: {mean: ([-+.e\d]+)[, ]+error: ([-+.e\d]+)", text, re.M).groups())
print("order of rotors", mean, "+-", error)
raise SystemExit(not (error < 0.02 and abs(mean - 0.44640) < 5 * error))
EOF
echo "the program with all worked diffs runs"
