/* Selections of atoms in MDAnalysis's language (https://docs.mdanalysis.org, "Selection commands"),
 * restricted to names and numbers:
 *
 *   all, protein, backbone
 *   name, resname, type, element, segid, chainID, moltype    followed by names, with *, ?, [abc] and [!abc]
 *   resid, resnum, index, bynum, molnum                      followed by numbers and ranges: 1:5, 1-5, 1 to 5
 *   and, or, not, ( )
 *
 * An atom whose molecule is built in also matches by the names that GRO and PDB files show (OW, HW1, SOL,
 * HOH). The meaning is MDAnalysis's: an atom matches if any of the names or ranges matches; index and molnum
 * count from 0, bynum from 1; `and` and `or` have equal precedence, from left to right, and `not` a higher
 * one. segid and chainID are the same name in a file of molecules. Selections by position and unknown words
 * are errors that name the word. */
#ifndef HOLONOM_TOPOLOGY_SELECT_H
#define HOLONOM_TOPOLOGY_SELECT_H

#include "topology/labels.h"

/* Selects chosen[labels->natom] and counts *n (may be NULL). An empty selection is allowed. Errors:
 * STATUS_INPUT (invalid text: the message has the column, from 1, and what is required there),
 * STATUS_MEMORY. */
Status select_atoms(const Labels *labels, const char *text, bool *chosen, int *n, Error *error);

/* Selects chosen[sort->natom] in one molecule of a type; index counts from its first atom, residues are
 * numbered as in the file. */
Status select_in_molecule(const LabelsSort *sort, const char *text, bool *chosen, int *n, Error *error);

/* Whether a text that selects no atom of some molecule types matches virtual sites by their names. */
bool select_sites(int nsort, const LabelsSort *sort, const char *text);

/* Explains why such a text selects no atom: writes to why[SELECT_WORDS], and returns it, that it matches only
 * virtual sites, or the first names of atoms. */
enum { SELECT_WORDS = 256 };
const char *select_none(int nsort, const LabelsSort *sort, const char *text, char why[SELECT_WORDS]);

#endif
