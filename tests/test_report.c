/* Words of a report: a mean with two digits of its error. */
#include "simulation/run/report.h"
#include "tests/suite.h"

static const struct {
  double mean, error;
  long long samples;
  const char *words;
} row[] = {
    {298.1234, 0.4567, 9, "mean T: 298.12 +- 0.46 K\n"},
    {-57.55183, 0.00108, 9, "mean T: -57.5518 +- 0.0011 K\n"},
    {-167.78, 1.2, 9, "mean T: -167.8 +- 1.2 K\n"},
    {344.699, 448.3, 9, "mean T: 345 +- 448 K\n"},
    {344.699, 44.83, 9, "mean T: 345 +- 45 K\n"},
    {1.5e10, 2.5e9, 9, "mean T: 1.5e+10 +- 2.5e+09 K\n"},
    {1.5, 1e-14, 9, "mean T: 1.5 +- 1e-14 K\n"},
    {12.5, 0.0, 9, "mean T: 12.5 +- 0 K\n"},
    {10.4510, NAN, 1, "mean T: 10.451 K, without error (1 sample)\n"},
    {10.4510, INFINITY, 3, "mean T: 10.451 K, without error (3 samples)\n"},
};

TEST(errors_have_two_digits, .rows = sizeof row / sizeof *row)
{
  char words[128] = "";
  const ResultNumber number = {.name = "T",
                               .unit = "K",
                               .value = row[_i].mean,
                               .error = row[_i].error,
                               .samples = (double)row[_i].samples};
  report_mean(&number, words, sizeof words);
  ck_assert_str_eq(words, row[_i].words);
}
