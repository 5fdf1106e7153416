/* Where another program lies. */
#ifndef HOLONOM_BASE_TOOL_FIND_H
#define HOLONOM_BASE_TOOL_FIND_H

/* The path of a program, which the caller frees: a name with a slash stands for itself, any other is looked
 * for in the folders of PATH. Only absolute entries of PATH count: an empty or relative one would start a
 * program that came with the files of the current folder. NULL: there is none, or no memory. */
char *tool_find(const char *name);

#endif
