"""Water clusters: runs of hours, so this shows what docs/validation.md has of them."""

import os
from pathlib import Path

from holonom import gallery

page = gallery.Page(
    "Water clusters",
    "Tao & Owhadi 2015, section 4.3, Figs. 4 to 7",
    (
        "Clusters of 7 and of 100 TIP3P waters at 10 K, whose bonds and angles are kept by penalties (Zhang-Skeel) or by"
        " constraints (SHAKE, RATTLE, SETTLE): distances between oxygens, multipliers, energy and momenta."
    ),
)
page.text(
    "These runs take from minutes to hours, so this page shows what an earlier one left; docs/validation.md has all numbers with"
    " their errors. The commands above remake them: Fig. 4 needs penalty.yaml and constraint.yaml (with --set ensemble.replicas=512"
    " for error bars, then holonom compare), Fig. 5 penalty-gauss-newton.yaml with --set geometry.w=500 --set"
    " output.multipliers_every=1, Fig. 6 the same files with --set thermostat.type=none --set integrator.word=BAB, Fig. 7"
    " water-100.yaml."
)

# The pictures lie among the documents, in the sources and where they are installed; `holonom gallery` says where.
places = [
    Path(os.environ.get("HOLONOM_PICTURES", "nowhere")),
    page.inputs / "../../docs/pictures",
    page.inputs / "../../../doc/holonom/pictures",
]
pictures = next((place for place in places if (place / "demo.png").is_file()), None)
if pictures is None:
    page.text("The pictures are in docs/pictures of the sources and were not found from here.")
else:
    for name, caption in (
        (
            "demo",
            (
                "As Fig. 4: oxygen-oxygen distances of seven TIP3P waters at 10 K, 512 replicas. With the paper's penalties (w ="
                " 20) the cluster is not the rigid one."
            ),
        ),
        ("multipliers", "As Fig. 5: Lagrange multipliers from penalties (w = 500) and from SHAKE."),
        (
            "energy",
            "As Fig. 6: energy and momenta without noise, from SETTLE, RATTLE, the Zhang-Skeel maps and partially solved Newmark.",
        ),
        ("hundred", "As Fig. 7: oxygen-oxygen distances of 100 TIP3P waters."),
    ):
        page.figure(name, pictures / f"{name}.png", caption)
