/* Parses a YAML text into a tree of small nodes, for files of many rows (input files, whose table declares
 * every value, use input.h). Each node has its line. Anchors, aliases and tags are refused, so that a tree
 * is no larger than its text. */
#ifndef HOLONOM_IO_YAML_TREE_H
#define HOLONOM_IO_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef enum YamlTreeKind { YAML_TREE_TEXT, YAML_TREE_LIST, YAML_TREE_MAP } YamlTreeKind;

typedef struct YamlNode {
  YamlTreeKind kind;
  int line;               /* of its beginning, from 1 */
  int n;                  /* items; of a map the number of its values */
  const char *text;       /* the text, without zero bytes */
  struct YamlNode *first; /* of a list its items; of a map a key, its value, a key, ... */
  struct YamlNode *next;  /* in the list or map that contains it */
} YamlNode;

typedef struct YamlTree YamlTree;

/* Messages use `name` for the file. Errors: STATUS_INPUT with the line (not YAML, empty, more than one
 * document, nested more than 32 deep); STATUS_MEMORY. *tree is NULL then. */
Status yaml_tree_parse(YamlTree **tree, const char *name, const char *text, size_t length, Error *error);
const YamlNode *yaml_tree_root(const YamlTree *tree);
void yaml_tree_free(YamlTree *tree);

struct yaml_parser_s;

/* Describes in words[size] where a parser of text[length] stopped; returns the line. */
int yaml_tree_problem(const struct yaml_parser_s *parser, const char *text, size_t length, char *words,
                      size_t size);

#endif
