/* Selections by words choose what MDAnalysis chooses of the same atoms; what says nothing is refused, with
 * the column. */
#include "tests/files.h"
#include "tests/labelled.h"
#include "topology/select.h"

static const char *const selections[] = {
    "all",
    "name CA",
    "name C* N",
    "name ?A and not resname NA",
    "name [CN] or name H[!H]*",
    "name C1'",
    "resname ACE NME",
    "resname SOL and name OW",
    "not resname SOL",
    "not (resname SOL or resname NA)",
    "resid 4",
    "resid 4:6",
    "resid 4-6",
    "resid 4 to 6",
    "resid 1 3:4 7 - 9",
    "resid -2",
    "resid -5--1 5",
    "resid -5 : 5",
    "resid 3 -2",
    "index 0",
    "index 0:5 9",
    "bynum 1:5",
    "molnum 0 2:3",
    "moltype SOL",
    "moltype di*",
    "type CT",
    "type C*",
    "element C N",
    "element Na",
    "protein",
    "backbone",
    "chainID PROA",
    "chainID B P* and not name N",
    "protein and not name H*",
    "name CA or name N and resname NME",
    "name N and resname NME or name CA",
    "not name C and resname ALA",
    "not not name CA",
    "(name CA)",
    "  ((name CA or(name CB))and not(resid 4))",
    "name O\n\tOW",
    "index 900",
};
enum { SELECTIONS = (int)(sizeof selections / sizeof *selections) };

static void print_atoms(FILE *f, const Labels *labels)
{
  int molecule = 0;
  for (int k = 0; k < labels->nsort; k++)
    for (int m = 0; m < labels->sort[k].nmol; m++, molecule++)
      for (int i = 0; i < labels->sort[k].natom; i++) {
        const LabelsAtom *a = &labels->sort[k].atom[i];
        fprintf(f, "%s %s %s %s %d %s %d %s\n", a->name, a->residue, a->type, a->element,
                labels_residue(&labels->sort[k], m, i), labels->sort[k].name, molecule,
                a->chain[0] != '\0' ? a->chain : "-");
      }
}

/* What read_select.py compares. */
static void print_all(void)
{
  Labelled l;
  Error error = {.text = ""};
  labelled_create(&l);
  bool *chosen = malloc((size_t)l.labels.natom * sizeof *chosen);
  FILE *atoms = fopen(files_path("atoms.txt"), "w"), *found = fopen(files_path("selected.txt"), "w");
  ck_assert(atoms != NULL && found != NULL && chosen != NULL);
  print_atoms(atoms, &l.labels);
  for (int i = 0; i < SELECTIONS; i++) {
    int n, count = 0;
    ck_assert_msg(select_atoms(&l.labels, selections[i], chosen, &n, &error) == STATUS_OK, "%s: %s",
                  selections[i], error.text);
    for (const char *c = selections[i]; *c != '\0'; c++)
      fputc(*c == '\n' ? ' ' : *c == '\t' ? ' ' : *c, found);
    fputc(';', found);
    for (int a = 0; a < l.labels.natom; a++)
      if (chosen[a] && ++count > 0)
        fprintf(found, " %d", a);
    fputc('\n', found);
    ck_assert_int_eq(count, n);
  }
  fclose(atoms);
  fclose(found);
  free(chosen);
  labelled_free(&l);
}

static int chosen_of(const char *text, bool *chosen)
{
  Labelled l;
  Error error = {.text = ""};
  int n;
  labelled_create(&l);
  ck_assert_msg(select_atoms(&l.labels, text, chosen, &n, &error) == STATUS_OK, "%s", error.text);
  labelled_free(&l);
  return n;
}

/* Atoms in frames: 12, then waters without their virtual sites, ions, waters, dimers. */
TEST(words_mean_what_they_say)
{
  bool chosen[64];
  ck_assert_int_eq(chosen_of("all", chosen), 12 + 9 + 2 + 6 + 6);
  ck_assert_int_eq(chosen_of("name CA or name CB and resid 5", chosen), 2);
  ck_assert(chosen[5] && chosen[7]);
  ck_assert_int_eq(chosen_of("resid 5", chosen), 6); /* of the peptide; waters go on at 7 */
  ck_assert_int_eq(chosen_of("resid 7", chosen), 3);
  ck_assert(chosen[12] && chosen[13] && chosen[14]);
  ck_assert_int_eq(chosen_of("resid 10:11 and name NA", chosen), 2);
  ck_assert_int_eq(chosen_of("name MW", chosen), 0);
}

static const struct {
  const char *text, *said;
} wrong[] = {
    {"", "column 1: the selection ends; expected a word"},
    {"   ", "column 4: the selection ends"},
    {"nam CA", "column 1: 'nam' is not a word of selections; did you mean 'name'? Known: name, "},
    {"CA", "column 1: 'CA' is not a word"},
    {"name", "column 5: 'name' needs names after it"},
    {"name and resid 1", "column 6: 'name' needs names"},
    {"resid 5 or index", "column 17: 'index' needs numbers"},
    {"resid 5A", "column 7: '5A' is not a whole number"},
    {"resid 1.5", "column 7: '1.5' is not"},
    {"resid 1:", "column 7: '1:' is not"},
    {"resid 1 to", "column 9: 'to' is not"},
    {"resid :4", "column 7: ':4' is not"},
    {"resid 7:5", "column 7: the range from 7 to 5 is empty"},
    {"index 99999999999999999999", "is not a whole number"},
    {"index nan", "column 7: 'nan'"},
    {"name CA resid 5", "column 9: expected 'and' or 'or' before 'resid'"},
    {"name CA and", "column 12: the selection ends; expected another"},
    {"and name CA", "column 1: found 'and', expected"},
    {"name CA and or name C", "column 13: found 'or', expected"},
    {"(name CA", "column 1: the parenthesis that opens here is not closed"},
    {"name CA)", "column 8: this parenthesis was not opened"},
    {"()", "column 2: found ')', expected"},
    {"all all", "column 5: expected 'and' or 'or' before 'all'"},
    {"all CA", "column 5: expected 'and' or 'or'"},
    {"not", "column 4: the selection ends"},
    {"around 3 name CA", "column 1: 'around' selects by position"},
    {"name CA and bonded name N", "column 13: 'bonded' is a word of MDAnalysis that is not supported"},
};

TEST(what_says_nothing_is_refused, .rows = sizeof wrong / sizeof *wrong)
{
  Labelled l;
  Error error = {.text = ""};
  bool chosen[64];
  labelled_create(&l);
  ck_assert_int_eq(select_atoms(&l.labels, wrong[_i].text, chosen, NULL, &error), STATUS_INPUT);
  ck_assert_msg(strstr(error.text, wrong[_i].said) != NULL, "%s: %s", wrong[_i].text, error.text);
  labelled_free(&l);
}

/* However deep and long. */
TEST(large_ones_end)
{
  enum { MANY = 100000 };
  Labelled l;
  Error error = {.text = ""};
  bool chosen[64];
  char *text = malloc(4 * MANY + 16);
  labelled_create(&l);
  memset(text, '(', MANY);
  strcpy(text + MANY, "all");
  ck_assert_int_eq(select_atoms(&l.labels, text, chosen, NULL, &error), STATUS_INPUT);
  ck_assert_ptr_nonnull(strstr(error.text, "column 61: more than 60"));
  strcpy(text, "not ");
  for (int i = 1; i < MANY; i++)
    memcpy(text + 4 * (size_t)i, "not ", 4);
  strcpy(text + 4 * MANY, "all");
  ck_assert_int_eq(select_atoms(&l.labels, text, chosen, NULL, &error), STATUS_INPUT);
  strcpy(text, "name");
  for (int i = 0; i < MANY; i++)
    memcpy(text + 4 + 4 * (size_t)i, " C*H", 4);
  text[4 + 4 * MANY - 4] = '\0';
  int n;
  ck_assert_int_eq(select_atoms(&l.labels, text, chosen, &n, &error), STATUS_OK);
  ck_assert_int_eq(n, 0);
  free(text);
  labelled_free(&l);
}

TEST(mdanalysis_chooses_the_same)
{
  print_all();
  const int python = files_python("read_select.py");
  ck_assert(python == 0 || python == SUITE_SKIPPED);
}
