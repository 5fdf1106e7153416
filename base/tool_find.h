/* Finds other programs. */
#ifndef HOLONOM_BASE_TOOL_FIND_H
#define HOLONOM_BASE_TOOL_FIND_H

/* The path of a program, which the caller frees; NULL: not found, or no memory. A name with a slash is its
 * own path; others are searched in the folders of PATH. Only absolute entries of PATH count: an empty or
 * relative one could start a program from the current folder. */
char *tool_find(const char *name);

#endif
