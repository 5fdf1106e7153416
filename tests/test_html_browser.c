/* Pages in a browser: opened without a network, figures are zoomed and curves switched, molecules played,
 * tables sorted, files saved; nothing is asked of a network, and nothing is complained of. */
#include "html/html.h"
#include "tests/program.h"

/* Opens the page with a script of tests/ at its end in a window so wide, without a network, until it is done:
 * until the log, whose lines of an earlier page are put away first, says so. */
static void click_through(const char *page, const char *script, int width)
{
  program_write("begin", "<script>\n");
  program_write("end", "</script>\n");
  program_do("cat %s begin \"$HOLONOM_SOURCE/tests/%s\" end >clicked.html", page, script);
  program_do("rm -f browser.log; touch browser.log; chromium --headless --no-sandbox --disable-dev-shm-usage "
             "--use-angle=swiftshader "
             "--enable-unsafe-swiftshader --host-resolver-rules='MAP * ~NOTFOUND' --enable-logging=stderr "
             "--user-data-dir=$PWD/profile --window-size=%d,900 file://$PWD/clicked.html >browser.log 2>&1 & "
             "for i in $(seq 600); do grep -q 'CONSOLE.*\"done\"' browser.log && break; sleep 0.2; done; "
             "kill $!; wait $! || :",
             width);
  const char *log = program_read("browser.log");
  ck_assert_msg(strstr(log, "\"done\"") != NULL, "width %d: not done in time: %.3000s", width, log);
  for (const char *said = log; (said = strstr(said, "CONSOLE")) != NULL; said++) {
    const char *words = strchr(said, '"');
    ck_assert_msg(words != NULL && (strncmp(words, "\"yes: ", 6) == 0 || strncmp(words, "\"done\"", 6) == 0),
                  "width %d: %.3000s", width, said);
  }
}

TEST(a_page_does_what_a_reader_wants)
{
  program_write("input.yaml", program_small);
  program_runs("run input.yaml -o run --set output.trajectory=xyz --set output.trajectory_every=100 "
               "--set 'title=\"</script><b>&\"'");
  program_says("report page: run/report.html");
  click_through("run/report.html", "clicks.js", 600);
}

/* A crystal in a rhombic dodecahedron, whose cell moves. */
TEST(an_oblique_box_is_drawn_as_it_leans)
{
  program_write("leans.yaml", "system: {atoms: {argon: 64}, density: 1.7 g/cm3, shape: dodecahedron}\n"
                              "forces: {cutoff: 6 A}\nintegrator: {timestep: 10 fs, steps: 200}\n"
                              "thermostat: {temperature: 30 K, friction: 1/ps}\n"
                              "barostat: {type: monte-carlo, pressure: 1 bar, every: 50 fs, shape: cell}\n"
                              "output: {thermo_every: 5, trajectory: [xyz], trajectory_every: 50}\n");
  program_runs("run leans.yaml -o leans");
  click_through("leans/report.html", "leans.js", 900);
}

TEST(a_study_fits_the_window)
{
  program_write("base.yaml", program_small);
  program_write("study.yaml", "title: Two\nbase: base.yaml\nmargin: 40%\nruns:\n  - {name: rigid}\n"
                              "  - {name: w = 100, set: [geometry.method=penalty, geometry.w=100]}\n"
                              "vary:\n  - {key: thermostat.temperature, values: [50 K, 90 K]}\n");
  program_runs("study study.yaml -o study --set output.report=false");
  click_through("study/study.html", "fits.js", 1280);
}

int main(void)
{
  if (!html_figure_moves())
    return SUITE_SKIPPED;
  return suite_lacks("chromium") ? SUITE_SKIPPED : program_main("html_browser");
}
