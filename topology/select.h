/* Atoms chosen by MDAnalysis's words (https://docs.mdanalysis.org, "Selection commands"), of which there are
 * those about names and numbers:
 *
 *   all, protein, backbone               name, resname, type, element, segid, chainID (a molecule's file has
 * one and, or, not, ( )                    name of both), moltype: names behind them, which may have *, ?,
 * [abc] and [!abc] resid, resnum, index, bynum, molnum: numbers and ranges, 1:5, 1-5, 1 to 5
 *
 * They mean what they mean there: several names or ranges are any of them; index and molnum count from 0,
 * bynum from 1; `and` and `or` bind alike, from left to right, `not` binds closer. What selects by positions
 * or by what is not known here is refused by name. */
#ifndef HOLONOM_TOPOLOGY_SELECT_H
#define HOLONOM_TOPOLOGY_SELECT_H

#include "topology/labels.h"

/* chosen[labels->natom]; *n, unless NULL: how many. STATUS_INPUT: the text says nothing, with the column,
 * from 1, and what was wanted there; STATUS_MEMORY. That no atom is chosen is no error. */
Status select_atoms(const Labels *labels, const char *text, bool *chosen, int *n, Error *error);

/* The same in one molecule of a sort, chosen[sort->natom], where index counts from its first atom and
 * residues are numbered as in the file. */
Status select_in_molecule(const LabelsSort *sort, const char *text, bool *chosen, int *n, Error *error);

/* Whether a text that chooses no atom of some sorts would choose virtual sites of theirs, by their names. */
bool select_sites(int nsort, const LabelsSort *sort, const char *text);

/* Why such a text chooses no atom, for messages, in why[SELECT_WORDS], which it returns: it chooses virtual
 * sites alone, or none of the atoms, whose first names are listed. */
enum { SELECT_WORDS = 256 };
const char *select_none(int nsort, const LabelsSort *sort, const char *text, char why[SELECT_WORDS]);

#endif
