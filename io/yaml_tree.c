#include "io/yaml_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "base/arena.h"

enum { DEPTH_MAX = 32, NODES = 4096, LETTERS = 65536 };

struct YamlTree {
  Arena arena;
  YamlNode *root;
  /* Free room in the current blocks of nodes and letters. */
  YamlNode *node;
  size_t nodes;
  char *letter;
  size_t letters;
};

/* --- errors of the parser ---------------------------------------------------------------------------------
 */

static int line_at(const char *text, size_t offset)
{
  int line = 1;
  for (size_t i = 0; i < offset; i++)
    line += text[i] == '\n';
  return line;
}

static bool tab_in_line(const char *text, size_t length, int line)
{
  int here = 1;
  for (size_t i = 0; i < length && here <= line; i++) {
    if (here == line && text[i] == '\t')
      return true;
    here += text[i] == '\n';
  }
  return false;
}

int yaml_tree_problem(const yaml_parser_t *parser, const char *text, size_t length, char *words, size_t size)
{
  const char *const problem = parser->problem != NULL ? parser->problem : "unknown problem";
  if (parser->error == YAML_READER_ERROR) {
    (void)snprintf(words, size, "is not text: %s", problem);
    return line_at(text, parser->problem_offset < length ? parser->problem_offset : length);
  }
  const int line = (int)parser->problem_mark.line + 1;
  const char *const context = parser->context != NULL ? parser->context : "";
  (void)snprintf(words, size, "is not YAML: %s%s%s%s", context, *context != '\0' ? ", " : "", problem,
                 tab_in_line(text, length, line) ? "; there is a tab: indent with spaces"
                                                 : "; wanted: 'key: value' lines, sections indented");
  return line;
}

/* --- nodes ------------------------------------------------------------------------------------------------
 */

static YamlNode *node_new(YamlTree *t)
{
  if (t->nodes == 0) {
    t->node = arena_take(&t->arena, NODES, sizeof *t->node);
    t->nodes = t->node != NULL ? NODES : 0;
  }
  if (t->nodes == 0)
    return NULL;
  t->nodes--;
  return t->node++;
}

static char *letters_new(YamlTree *t, size_t n)
{
  if (n > LETTERS / 4)
    return arena_take(&t->arena, n, 1);
  if (t->letters < n) {
    t->letter = arena_take(&t->arena, LETTERS, 1);
    t->letters = t->letter != NULL ? LETTERS : 0;
  }
  if (t->letters < n)
    return NULL;
  char *const text = t->letter;
  t->letter += n;
  t->letters -= n;
  return text;
}

/* --- events -----------------------------------------------------------------------------------------------
 */

/* The state of parsing: the open lists and maps, the last item of each, and their sizes. */
typedef struct Growth {
  YamlTree *tree;
  const char *name;
  int depth, documents;
  int half[DEPTH_MAX]; /* keys and values of a map */
  YamlNode *open[DEPTH_MAX], *last[DEPTH_MAX];
  Error *error;
} Growth;

static Status refuse(const Growth *g, int line, const char *what)
{
  return error_set(g->error, STATUS_INPUT, "%s:%d: %s", g->name, line, what);
}

static void attach(Growth *g, YamlNode *node)
{
  YamlNode *const parent = g->depth > 0 ? g->open[g->depth - 1] : NULL;
  if (parent == NULL) {
    g->tree->root = node;
    return;
  }
  YamlNode *const last = g->last[g->depth - 1];
  *(last != NULL ? &last->next : &parent->first) = node;
  g->last[g->depth - 1] = node;
  if (parent->kind == YAML_TREE_LIST || ++g->half[g->depth - 1] % 2 == 0)
    parent->n++;
}

static Status begin(Growth *g, YamlTreeKind kind, int line)
{
  YamlNode *const node = node_new(g->tree);
  TRY_MEMORY(node != NULL, g->name, g->error);
  *node = (YamlNode){.kind = kind, .line = line};
  attach(g, node);
  if (g->depth == DEPTH_MAX)
    return refuse(g, line, "lists and sections are nested more than 32 deep");
  g->open[g->depth] = node;
  g->half[g->depth] = 0;
  g->last[g->depth++] = NULL;
  return STATUS_OK;
}

static Status scalar(Growth *g, const yaml_event_t *event, int line)
{
  const size_t n = event->data.scalar.length;
  YamlNode *const node = node_new(g->tree);
  char *const text = letters_new(g->tree, n + 1);
  TRY_MEMORY(node != NULL && text != NULL, g->name, g->error);
  memcpy(text, event->data.scalar.value, n);
  text[n] = '\0';
  if (memchr(text, '\0', n) != NULL)
    return refuse(g, line, "there is a zero byte");
  *node = (YamlNode){.kind = YAML_TREE_TEXT, .line = line, .text = text};
  attach(g, node);
  return STATUS_OK;
}

static Status add_event(Growth *g, const yaml_event_t *event)
{
  const int line = (int)event->start_mark.line + 1;
  const bool named =
      (event->type == YAML_SCALAR_EVENT &&
       (event->data.scalar.anchor != NULL || event->data.scalar.tag != NULL)) ||
      (event->type == YAML_SEQUENCE_START_EVENT &&
       (event->data.sequence_start.anchor != NULL || event->data.sequence_start.tag != NULL)) ||
      (event->type == YAML_MAPPING_START_EVENT &&
       (event->data.mapping_start.anchor != NULL || event->data.mapping_start.tag != NULL));
  if (named || event->type == YAML_ALIAS_EVENT)
    return refuse(
        g, line,
        "anchors (&), aliases (*) and tags (!) are not allowed; quote a text that begins with these signs");
  switch (event->type) {
  case YAML_DOCUMENT_START_EVENT:
    return g->documents++ > 0 ? refuse(g, line, "a second document starts here; a file has one document")
                              : STATUS_OK;
  case YAML_SCALAR_EVENT:
    return scalar(g, event, line);
  case YAML_SEQUENCE_START_EVENT:
    return begin(g, YAML_TREE_LIST, line);
  case YAML_MAPPING_START_EVENT:
    return begin(g, YAML_TREE_MAP, line);
  case YAML_MAPPING_END_EVENT:
  case YAML_SEQUENCE_END_EVENT:
    g->depth--;
    return STATUS_OK;
  default:
    return STATUS_OK;
  }
}

static Status grow(Growth *g, yaml_parser_t *parser, const char *text, size_t length)
{
  for (bool end = false; !end;) {
    yaml_event_t event;
    if (!yaml_parser_parse(parser, &event)) {
      char words[512];
      TRY_MEMORY(parser->error != YAML_MEMORY_ERROR, g->name, g->error);
      const int line = yaml_tree_problem(parser, text, length, words, sizeof words);
      return refuse(g, line, words);
    }
    end = event.type == YAML_STREAM_END_EVENT;
    const Status status = add_event(g, &event);
    yaml_event_delete(&event);
    TRY(status);
  }
  return g->tree->root != NULL ? STATUS_OK : error_set(g->error, STATUS_INPUT, "%s is empty", g->name);
}

Status yaml_tree_parse(YamlTree **tree, const char *name, const char *text, size_t length, Error *error)
{
  YamlTree *t = calloc(1, sizeof *t);
  *tree = NULL;
  TRY_MEMORY(t != NULL, name, error);
  Growth growth = {.tree = t, .name = name, .error = error};
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    yaml_tree_free(t);
    return error_memory(error, name);
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  const Status status = grow(&growth, &parser, text, length);
  yaml_parser_delete(&parser);
  if (status != STATUS_OK) {
    yaml_tree_free(t);
    return status;
  }
  *tree = t;
  return STATUS_OK;
}

const YamlNode *yaml_tree_root(const YamlTree *tree) { return tree->root; }

void yaml_tree_free(YamlTree *tree)
{
  if (tree == NULL)
    return;
  arena_free(&tree->arena);
  free(tree);
}
