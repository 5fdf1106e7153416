#include "topology/select.h"

#include <ctype.h>
#include <errno.h>
#include <fnmatch.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "base/scoped.h"
#include "base/text.h"

enum { DEEPEST = 60 }; /* nesting of parentheses; pending results are bits of a word */

/* --- words ------------------------------------------------------------------------------------------------
 */

typedef enum Meaning {
  /* followed by names */
  NAME,
  RESNAME,
  TYPE,
  ELEMENT,
  CHAIN,
  MOLTYPE,
  /* followed by numbers */
  RESID,
  INDEX,
  BYNUM,
  MOLNUM,
  /* alone */
  ALL,
  PROTEIN,
  BACKBONE,
  AND,
  OR,
  NOT,
  OPEN,
  CLOSE,
  /* words of MDAnalysis that are not supported */
  PLACE,
  UNKNOWN
} Meaning;

static const struct {
  const char *word;
  Meaning meaning;
} words[] = {
    {"name", NAME},
    {"resname", RESNAME},
    {"type", TYPE},
    {"element", ELEMENT},
    {"segid", CHAIN},
    {"chainID", CHAIN},
    {"moltype", MOLTYPE},
    {"resid", RESID},
    {"resnum", RESID},
    {"index", INDEX},
    {"bynum", BYNUM},
    {"molnum", MOLNUM},
    {"all", ALL},
    {"protein", PROTEIN},
    {"backbone", BACKBONE},
    {"and", AND},
    {"or", OR},
    {"not", NOT},
    {"(", OPEN},
    {")", CLOSE},
    {"around", PLACE},
    {"sphlayer", PLACE},
    {"isolayer", PLACE},
    {"sphzone", PLACE},
    {"cyzone", PLACE},
    {"cylayer", PLACE},
    {"point", PLACE},
    {"prop", PLACE},
    {"atom", UNKNOWN},
    {"bonded", UNKNOWN},
    {"group", UNKNOWN},
    {"global", UNKNOWN},
    {"byres", UNKNOWN},
    {"same", UNKNOWN},
    {"altLoc", UNKNOWN},
    {"icode", UNKNOWN},
    {"nucleic", UNKNOWN},
    {"nucleicbase", UNKNOWN},
    {"nucleicbackbone", UNKNOWN},
    {"nucleicsugar", UNKNOWN},
    {"aromatic", UNKNOWN},
    {"smarts", UNKNOWN},
    {"mass", UNKNOWN},
    {"charge", UNKNOWN},
    {"radius", UNKNOWN},
    {"occupancy", UNKNOWN},
    {"tempfactor", UNKNOWN},
    {"record_type", UNKNOWN},
};

/* MDAnalysis's list of amino acids, by CHARMM, OPLS and AMBER. */
static const char *const amino_acids[] = {
    "ALA",  "ARG",  "ASN",  "ASP",  "CYS",  "GLN",  "GLU",  "GLY",  "HSD",  "HSE",  "HSP",  "ILE",  "LEU",
    "LYS",  "MET",  "PHE",  "PRO",  "SER",  "THR",  "TRP",  "TYR",  "VAL",  "ALAD", "HIS",  "MSE",  "ARGN",
    "ASPH", "CYS2", "CYSH", "QLN",  "PGLU", "GLUH", "HIS1", "HISD", "HISE", "HISH", "LYSH", "ASN1", "CYS1",
    "HISA", "HISB", "HIS2", "HID",  "HIE",  "HIP",  "ORN",  "DAB",  "LYN",  "HYP",  "CYM",  "CYX",  "ASH",
    "GLH",  "ACE",  "NME",  "NALA", "NGLY", "NSER", "NTHR", "NLEU", "NILE", "NVAL", "NASN", "NGLN", "NARG",
    "NHID", "NHIE", "NHIP", "NTRP", "NPHE", "NTYR", "NGLU", "NASP", "NLYS", "NPRO", "NCYS", "NCYX", "NMET",
    "CALA", "CGLY", "CSER", "CTHR", "CLEU", "CILE", "CVAL", "CASF", "CASN", "CGLN", "CARG", "CHID", "CHIE",
    "CHIP", "CTRP", "CPHE", "CTYR", "CGLU", "CASP", "CLYS", "CPRO", "CCYS", "CCYX", "CMET", "CME",  "ASF"};

/* --- what is parsed ---------------------------------------------------------------------------------------
 */

typedef struct Range {
  int64_t first, last;
} Range;

/* A step of the evaluation, in postfix order: a test of an atom, or an operation on results. */
typedef struct Step {
  Meaning meaning;
  int begin, n; /* of names or ranges */
} Step;

typedef struct Parser {
  const char *text;
  const char **word; /* [nword] words in `copy`, and their positions in the text, from 0 */
  int *at, nword, next;
  int nstep, nname, nrange, depth;
  Step *step;
  const char **name;
  Range *range;
  Arena arena;
} Parser;

static Meaning meaning_of(const char *word, bool *keyword)
{
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (strcmp(word, words[i].word) == 0) {
      *keyword = true;
      return words[i].meaning;
    }
  *keyword = false;
  return UNKNOWN;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }
static bool is_bracket(char c) { return c == '(' || c == ')'; }

/* Splits the text into words at blanks; parentheses are words. */
static Status split(Parser *p, Error *error)
{
  const size_t size = strlen(p->text), most = size + 1;
  if (size > INT_MAX / 4)
    return error_set(error, STATUS_INPUT, "the selection is too long: %zu characters", size);
  char *copy = arena_take(&p->arena, 2 * most, 1);
  p->word = arena_take(&p->arena, most, sizeof *p->word);
  p->at = arena_take(&p->arena, most, sizeof *p->at);
  p->step = arena_take(&p->arena, most, sizeof *p->step);
  p->name = arena_take(&p->arena, most, sizeof *p->name);
  p->range = arena_take(&p->arena, most, sizeof *p->range);
  TRY(arena_check(&p->arena, "a selection", error));
  for (size_t i = 0; i < size;) {
    size_t end = i;
    while (end < size && !is_blank(p->text[end]) && !is_bracket(p->text[end]))
      end++;
    end += end == i; /* a blank or a parenthesis */
    if (!is_blank(p->text[i])) {
      p->word[p->nword] = memcpy(copy, p->text + i, end - i);
      p->at[p->nword++] = (int)i;
      copy += end - i + 1;
    }
    i = end;
  }
  return STATUS_OK;
}

/* The column of a word, from 1; after the last word, of the end. */
static int column(const Parser *p, int word)
{
  return (word < p->nword ? p->at[word] : (int)strlen(p->text)) + 1;
}

static bool is_keyword(const Parser *p, int word)
{
  bool keyword = true;
  if (word < p->nword)
    (void)meaning_of(p->word[word], &keyword);
  return keyword;
}

static void add(Parser *p, Meaning meaning, int begin, int n)
{
  p->step[p->nstep++] = (Step){meaning, begin, n};
}

/* --- lists ------------------------------------------------------------------------------------------------
 */

static Status want_values(const Parser *p, const char *what, Error *error)
{
  if (!is_keyword(p, p->next))
    return STATUS_OK;
  return error_set(error, STATUS_INPUT, "column %d: '%s' needs %s after it", column(p, p->next),
                   p->word[p->next - 1], what);
}

static Status parse_names(Parser *p, Meaning meaning, Error *error)
{
  const int begin = p->nname;
  TRY(want_values(p, "names", error));
  while (!is_keyword(p, p->next))
    p->name[p->nname++] = p->word[p->next++];
  add(p, meaning, begin, p->nname - begin);
  return STATUS_OK;
}

/* Reads a whole number at *at, and advances. */
static bool read_number(const char **at, const char *end, int64_t *number)
{
  const char *digits = *at + (*at < end && **at == '-');
  if (digits == end || !isdigit((unsigned char)*digits))
    return false;
  char *behind;
  errno = 0;
  *number = strtoll(*at, &behind, 10);
  *at = behind;
  return errno == 0;
}

static const char *skip(const char *at, const char *end)
{
  while (at < end && is_blank(*at))
    at++;
  return at;
}

/* Whether a range continues here, as in MDAnalysis: 1:5, 1 : 5, 1-5, 1 - 5, 1 to 5; but "1 -5" are two
 * numbers. Advances past the separator. */
static bool read_to(const char **at, const char *end)
{
  const char *then = skip(*at, end), *next = then + 1;
  const bool apart = then > *at;
  if (then == end)
    return false;
  if (*then == '-' && apart && next < end && !is_blank(*next) && *next != '-')
    return false;
  if (*then != ':' && *then != '-') {
    if (!apart || end - then < 3 || strncmp(then, "to", 2) != 0 || !is_blank(then[2]))
      return false;
    next = then + 2;
  }
  *at = skip(next, end);
  return true;
}

static Status parse_numbers(Parser *p, Meaning meaning, Error *error)
{
  const int begin = p->nrange;
  TRY(want_values(p, "numbers", error));
  const char *at = p->text + p->at[p->next];
  while (!is_keyword(p, p->next))
    p->next++;
  const char *const end = p->text + p->at[p->next - 1] + strlen(p->word[p->next - 1]);
  for (at = skip(at, end); at < end; at = skip(at, end)) {
    const char *const from = at;
    Range *r = &p->range[p->nrange++];
    bool fine = read_number(&at, end, &r->first);
    r->last = r->first;
    if (fine && read_to(&at, end))
      fine = read_number(&at, end, &r->last);
    if (!fine || (at < end && !is_blank(*at)))
      return error_set(error, STATUS_INPUT, "column %d: '%.*s' is not a whole number or a range such as 1:5",
                       (int)(from - p->text) + 1, (int)strcspn(from, " \t\n\r"), from);
    if (r->last < r->first)
      return error_set(error, STATUS_INPUT, "column %d: the range from %lld to %lld is empty",
                       (int)(from - p->text) + 1, (long long)r->first, (long long)r->last);
  }
  add(p, meaning, begin, p->nrange - begin);
  return STATUS_OK;
}

/* --- expressions ------------------------------------------------------------------------------------------
 */

static Status unknown_word(const Parser *p, Error *error)
{
  char known[256] = "";
  const char *word = p->word[p->next];
  Nearest nearest = nearest_start(word);
  for (size_t i = 0; i < sizeof words / sizeof *words; i++)
    if (words[i].meaning < OPEN) {
      nearest_try(&nearest, words[i].word, 0.0);
      text_append(known, sizeof known, "%s%s", i > 0 ? ", " : "", words[i].word);
    }
  if (nearest.name != NULL)
    return error_set(error, STATUS_INPUT,
                     "column %d: '%.40s' is not a word of selections; did you mean '%s'? Known: %s",
                     column(p, p->next), word, nearest.name, known);
  return error_set(error, STATUS_INPUT, "column %d: '%.40s' is not a word of selections; known: %s",
                   column(p, p->next), word, known);
}

static Status parse_expression(Parser *p, Error *error);

/* An operand of `and`, `or` and `not`. */
static Status parse_one(Parser *p, Error *error) // NOLINT(misc-no-recursion): to DEEPEST
{
  bool keyword;
  if (p->next == p->nword)
    return error_set(error, STATUS_INPUT, "column %d: the selection ends; expected %s", column(p, p->next),
                     p->nword == 0 ? "a word such as name or resname" : "another condition");
  const Meaning meaning = meaning_of(p->word[p->next], &keyword);
  if (!keyword)
    return unknown_word(p, error);
  if (meaning == PLACE)
    return error_set(
        error, STATUS_INPUT,
        "column %d: '%s' selects by position, which is not supported; select by names and numbers",
        column(p, p->next), p->word[p->next]);
  if (meaning == UNKNOWN || meaning == AND || meaning == OR || meaning == CLOSE)
    return error_set(error, STATUS_INPUT,
                     meaning == UNKNOWN ? "column %d: '%s' is a word of MDAnalysis that is not supported"
                                        : "column %d: found '%s', expected a condition such as name O",
                     column(p, p->next), p->word[p->next]);
  if ((meaning == OPEN || meaning == NOT) && p->depth++ == DEEPEST)
    return error_set(error, STATUS_INPUT, "column %d: more than %d nested parentheses and 'not'",
                     column(p, p->next), DEEPEST);
  const int from = p->next++;
  if (meaning <= MOLTYPE)
    return parse_names(p, meaning, error);
  if (meaning <= MOLNUM)
    return parse_numbers(p, meaning, error);
  if (meaning == NOT)
    TRY(parse_one(p, error));
  if (meaning == OPEN)
    TRY(parse_expression(p, error));
  if (meaning == OPEN && (p->next == p->nword || strcmp(p->word[p->next++], ")") != 0))
    return error_set(error, STATUS_INPUT, "column %d: the parenthesis that opens here is not closed",
                     column(p, from));
  p->depth -= meaning == OPEN || meaning == NOT;
  if (meaning != OPEN)
    add(p, meaning, 0, 0);
  return STATUS_OK;
}

/* Up to the end, or a closing parenthesis. */
static Status parse_expression(Parser *p, Error *error) // NOLINT(misc-no-recursion): to DEEPEST
{
  TRY(parse_one(p, error));
  while (p->next < p->nword && strcmp(p->word[p->next], ")") != 0) {
    bool keyword;
    const Meaning meaning = meaning_of(p->word[p->next], &keyword);
    if (!keyword || (meaning != AND && meaning != OR))
      return error_set(error, STATUS_INPUT, "column %d: expected 'and' or 'or' before '%.40s'",
                       column(p, p->next), p->word[p->next]);
    p->next++;
    TRY(parse_one(p, error));
    add(p, meaning, 0, 0);
  }
  return STATUS_OK;
}

static Status parse(Parser *p, Error *error)
{
  TRY(split(p, error));
  TRY(parse_expression(p, error));
  if (p->next < p->nword)
    return error_set(error, STATUS_INPUT, "column %d: this parenthesis was not opened", column(p, p->next));
  return STATUS_OK;
}

/* --- atoms ------------------------------------------------------------------------------------------------
 */

static bool any_name(const Parser *p, const Step *step, const char *name)
{
  for (int i = step->begin; i < step->begin + step->n; i++)
    if (fnmatch(p->name[i], name, FNM_NOESCAPE) == 0)
      return true;
  return false;
}

/* Also tests the names in files. */
static bool any_other(const Parser *p, const Step *step, const char *name,
                      const char *const other[LABELS_FORMATS])
{
  bool any = any_name(p, step, name);
  for (int i = 0; i < LABELS_FORMATS && !any; i++)
    any = other[i] != NULL && any_name(p, step, other[i]);
  return any;
}

static bool any_range(const Parser *p, const Step *step, int64_t number)
{
  for (int i = step->begin; i < step->begin + step->n; i++)
    if (p->range[i].first <= number && number <= p->range[i].last)
      return true;
  return false;
}

static bool is_protein(const char *residue)
{
  for (size_t i = 0; i < sizeof amino_acids / sizeof *amino_acids; i++)
    if (strcmp(residue, amino_acids[i]) == 0)
      return true;
  return false;
}

static bool is_backbone(const char *name)
{
  return strcmp(name, "N") == 0 || strcmp(name, "CA") == 0 || strcmp(name, "C") == 0 ||
         strcmp(name, "O") == 0;
}

/* One atom of molecule m of a type. */
typedef struct Place {
  const LabelsSort *sort;
  int m, atom;
  int64_t index, molecule;
} Place;

static bool test(const Parser *p, const Step *step, const Place *at)
{
  const LabelsAtom *atom = &at->sort->atom[at->atom];
  switch (step->meaning) {
  case NAME:
    return any_other(p, step, atom->name, atom->other_name);
  case RESNAME:
    return any_other(p, step, atom->residue, atom->other_residue);
  case TYPE:
    return any_name(p, step, atom->type);
  case ELEMENT:
    return any_name(p, step, atom->element);
  case CHAIN:
    return any_name(p, step, atom->chain);
  case MOLTYPE:
    return any_name(p, step, at->sort->name);
  case RESID:
    return any_range(p, step, labels_residue(at->sort, at->m, at->atom));
  case INDEX:
    return any_range(p, step, at->index);
  case BYNUM:
    return any_range(p, step, at->index + 1);
  case MOLNUM:
    return any_range(p, step, at->molecule);
  case PROTEIN:
    return is_protein(atom->residue);
  case BACKBONE:
    return is_protein(atom->residue) && is_backbone(atom->name);
  default:
    return true;
  }
}

/* Pending results are bits, the last one lowest. */
static bool evaluate(const Parser *p, const Place *at)
{
  uint64_t waiting = 0;
  for (int i = 0; i < p->nstep; i++) {
    const Step *step = &p->step[i];
    if (step->meaning == NOT)
      waiting ^= 1;
    else if (step->meaning == AND)
      waiting = (waiting & 1) != 0 ? waiting >> 1 : waiting >> 1 & ~(uint64_t)1;
    else if (step->meaning == OR)
      waiting = waiting >> 1 | (waiting & 1);
    else
      waiting = waiting << 1 | (uint64_t)test(p, step, at);
  }
  return (waiting & 1) != 0;
}

static void parser_free(Parser *p) { arena_free(&p->arena); }

Status select_atoms(const Labels *labels, const char *text, bool *chosen, int *n, Error *error)
{
  SCOPED(parser_free) Parser parser = {.text = text};
  TRY(parse(&parser, error));
  int count = 0;
  Place at = {0};
  for (int k = 0; k < labels->nsort; k++) {
    at.sort = &labels->sort[k];
    for (at.m = 0; at.m < at.sort->nmol; at.m++, at.molecule++)
      for (at.atom = 0; at.atom < at.sort->natom; at.atom++, at.index++) {
        chosen[at.index] = evaluate(&parser, &at);
        count += chosen[at.index];
      }
  }
  if (n != NULL)
    *n = count;
  return STATUS_OK;
}

Status select_in_molecule(const LabelsSort *sort, const char *text, bool *chosen, int *n, Error *error)
{
  LabelsSort one = *sort;
  one.nmol = 1;
  one.first = one.residue = 0;
  return select_atoms(&(Labels){.nsort = 1, .natom = one.natom, .sort = &one}, text, chosen, n, error);
}

/* Tests names of virtual sites, without indices; other molecules of a type differ only in numbers. */
static bool any_site(const Parser *parser, int nsort, const LabelsSort *sort)
{
  for (int k = 0; k < nsort; k++) {
    LabelsSort sites = sort[k];
    sites.atom = sites.virtual;
    Place at = {.sort = &sites, .index = INT64_MIN, .molecule = k};
    for (; at.atom < sites.nvirtual; at.atom++)
      if (evaluate(parser, &at))
        return true;
  }
  return false;
}

bool select_sites(int nsort, const LabelsSort *sort, const char *text)
{
  SCOPED(parser_free) Parser parser = {.text = text};
  Error none;
  return parse(&parser, &none) == STATUS_OK && any_site(&parser, nsort, sort);
}

enum { NAMES_LISTED = 12 };

/* Appends a name, and in parentheses that of GRO files if it differs. */
static void list_name(const LabelsAtom *atom, const char *before, char *why)
{
  const char *const other = atom->other_name[0];
  text_append(why, SELECT_WORDS, "%s%.8s", before, atom->name);
  if (other != NULL && strcmp(other, atom->name) != 0)
    text_append(why, SELECT_WORDS, " (%.8s)", other);
}

/* Lists names of atoms by molecule type: "OW, HW1, HW2 of SOL; Na (NA) of Na+". */
static void list_names(int nsort, const LabelsSort *sort, char *why)
{
  int listed = 0;
  for (int k = 0; k < nsort && listed < NAMES_LISTED; k++) {
    for (int i = 0; i < sort[k].natom && listed < NAMES_LISTED; i++, listed++)
      list_name(&sort[k].atom[i], i > 0 ? ", " : listed > 0 ? "; " : "", why);
    text_append(why, SELECT_WORDS, " of %.20s", sort[k].name);
  }
  if (listed == NAMES_LISTED)
    text_append(why, SELECT_WORDS, ", ...");
}

const char *select_none(int nsort, const LabelsSort *sort, const char *text, char why[SELECT_WORDS])
{
  why[0] = '\0';
  if (select_sites(nsort, sort, text)) {
    text_append(why, SELECT_WORDS, "selects only virtual sites; only atoms with mass can be selected");
    return why;
  }
  text_append(why, SELECT_WORDS, "selects no atom; atom names are ");
  list_names(nsort, sort, why);
  return why;
}
