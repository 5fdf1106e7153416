#include "io/summary.h"
#include "results/old_name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <yaml.h>

#include "engine/file.h"
#include "engine/locale.h"

enum { LONGEST = 1 << 24 };

struct Summary {
  yaml_document_t *document;
};

Status summary_read(Summary **summary, const char *dir, Error *error)
{
  *summary = NULL;
  yaml_parser_t parser;
  char *path = file_path(dir, "summary.yaml"), *text = NULL;
  size_t length;
  Summary *s = calloc(1, sizeof *s);
  yaml_document_t *document = malloc(sizeof *document);
  Status status = path == NULL || s == NULL || document == NULL || !yaml_parser_initialize(&parser)
                      ? error_memory(error, "a summary")
                      : STATUS_OK;
  if (status == STATUS_OK) {
    status = file_read(path, LONGEST, &text, &length, error);
    if (status == STATUS_OK) {
      yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
      if (yaml_parser_load(&parser, document))
        s->document = document;
      else
        status = error_set(error, STATUS_INPUT, "%s: is not YAML from line %d on: %s", path,
                           (int)parser.problem_mark.line + 1,
                           parser.problem != NULL ? parser.problem : "no memory");
    }
    yaml_parser_delete(&parser);
  }
  free(text);
  free(path);
  if (status == STATUS_OK) {
    *summary = s;
    return STATUS_OK;
  }
  free(document);
  free(s);
  return status;
}

void summary_free(Summary *s)
{
  if (s == NULL)
    return;
  yaml_document_delete(s->document);
  free(s->document);
  free(s);
}

/* Pair i of a mapping; NULL beyond its end, and where the node is none. */
static const yaml_node_pair_t *pair(const yaml_node_t *node, int i)
{
  const bool there = node != NULL && node->type == YAML_MAPPING_NODE &&
                     i < node->data.mapping.pairs.top - node->data.mapping.pairs.start;
  return there ? node->data.mapping.pairs.start + i : NULL;
}

static const char *text_of(const Summary *s, int node)
{
  const yaml_node_t *n = yaml_document_get_node(s->document, node);
  return n != NULL && n->type == YAML_SCALAR_NODE ? (const char *)n->data.scalar.value : "";
}

static const yaml_node_t *find(const Summary *s, const yaml_node_t *node, const char *key)
{
  const OldName other = old_name_other(key);
  const yaml_node_pair_t *p = NULL;
  for (int i = 0; (p = pair(node, i)) != NULL; i++)
    if (strcmp(text_of(s, p->key), key) == 0 || strcmp(text_of(s, p->key), other.text) == 0)
      return yaml_document_get_node(s->document, p->value);
  return NULL;
}

static const char *value_of(const Summary *s, const yaml_node_t *node, const char *key)
{
  const yaml_node_t *value = find(s, node, key);
  return value != NULL && value->type == YAML_SCALAR_NODE ? (const char *)value->data.scalar.value : NULL;
}

double summary_real(const char *text)
{
  LOCALE_PLAIN;
  char *end;
  const double x = text != NULL ? strtod(text, &end) : NAN;
  return text != NULL && end != text && isfinite(x) ? x : NAN;
}

const char *summary_key(const Summary *s, int i)
{
  const yaml_node_pair_t *p = pair(yaml_document_get_root_node(s->document), i);
  return p != NULL ? text_of(s, p->key) : NULL;
}

const char *summary_value(const Summary *s, const char *key)
{
  return value_of(s, yaml_document_get_root_node(s->document), key);
}

double summary_number(const Summary *s, const char *key) { return summary_real(summary_value(s, key)); }

/* Item i of a mapping or a list: its name or text (of a mapping) and what stands there; 0: there is none. */
static int item_of(const Summary *s, const char *of, int i, int *name)
{
  const yaml_node_t *node = find(s, yaml_document_get_root_node(s->document), of);
  const yaml_node_pair_t *p = pair(node, i);
  if (p != NULL) {
    *name = p->key;
    return p->value;
  }
  if (node == NULL || node->type != YAML_SEQUENCE_NODE ||
      i >= node->data.sequence.items.top - node->data.sequence.items.start)
    return 0;
  return *name = node->data.sequence.items.start[i];
}

const char *summary_item(const Summary *s, const char *of, int i, const char *key)
{
  int name = 0;
  const int item = item_of(s, of, i, &name);
  if (item == 0)
    return NULL;
  return key == NULL ? text_of(s, name) : value_of(s, yaml_document_get_node(s->document, item), key);
}

double summary_entry(const Summary *s, const char *of, int i, const char *key, int entry)
{
  int name = 0;
  const int item = item_of(s, of, i, &name);
  const yaml_node_t *node = item != 0 ? find(s, yaml_document_get_node(s->document, item), key) : NULL;
  if (node == NULL || node->type != YAML_SEQUENCE_NODE)
    return entry == 0 ? summary_real(summary_item(s, of, i, key)) : NAN;
  if (entry >= node->data.sequence.items.top - node->data.sequence.items.start)
    return NAN;
  return summary_real(text_of(s, node->data.sequence.items.start[entry]));
}

const char *summary_within(const Summary *s, const char *of, const char *key)
{
  const yaml_node_t *node = find(s, yaml_document_get_root_node(s->document), of);
  return node != NULL ? value_of(s, node, key) : NULL;
}

double summary_observable(const Summary *s, const char *observable, const char *subject, const char *quantity)
{
  const char *const key[] = {"observable", "subject", "quantity"}, *const wanted[] = {observable, subject,
                                                                                      quantity};
  const yaml_node_t *list = find(s, yaml_document_get_root_node(s->document), "observables");
  if (list == NULL || list->type != YAML_SEQUENCE_NODE)
    return NAN;
  for (const yaml_node_item_t *i = list->data.sequence.items.start; i < list->data.sequence.items.top; i++) {
    const yaml_node_t *row = yaml_document_get_node(s->document, *i);
    int same = 0;
    for (int k = 0; k < 3; k++) {
      const char *value = value_of(s, row, key[k]);
      same += value != NULL && strcmp(value, wanted[k]) == 0;
    }
    if (same == 3)
      return summary_real(value_of(s, row, "value"));
  }
  return NAN;
}
