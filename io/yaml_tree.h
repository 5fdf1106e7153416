/* A YAML text as a tree of small nodes, for files of many rows; input files, whose every value is declared in
 * a table, have input.h. Each node knows its line. Anchors, aliases and tags are refused, so that a tree is
 * no larger than its text. */
#ifndef HOLONOM_IO_YAML_TREE_H
#define HOLONOM_IO_YAML_TREE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

typedef enum YamlTreeKind { YAML_TREE_TEXT, YAML_TREE_LIST, YAML_TREE_MAP } YamlTreeKind;

typedef struct YamlNode {
  YamlTreeKind kind;
  int line;               /* of its beginning, from 1                       */
  int n;                  /* items; of a map those of its values alone      */
  const char *text;       /* the text, without zero bytes in it             */
  struct YamlNode *first; /* of a list its items; of a map a key, its value, a key, ... */
  struct YamlNode *next;  /* in the list or map that it stands in                       */
} YamlNode;

typedef struct YamlTree YamlTree;

/* `name` stands for the file in messages. Errors: STATUS_INPUT with the line (no YAML, empty, more than one
 * document, nested more than 32 deep), STATUS_MEMORY. *tree is NULL then. */
Status yaml_tree_parse(YamlTree **tree, const char *name, const char *text, size_t length, Error *error);
const YamlNode *yaml_tree_root(const YamlTree *tree);
void yaml_tree_free(YamlTree *tree);

struct yaml_parser_s;

/* What a parser of text[length] has stopped at, in words[size]; returns the line. */
int yaml_tree_problem(const struct yaml_parser_s *parser, const char *text, size_t length, char *words,
                      size_t size);

#endif
