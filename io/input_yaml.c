/* Walks a YAML document. It uses libyaml's nodes because each has its line. */
#include <string.h>
#include <strings.h>
#include <yaml.h>

#include "base/nearest.h"
#include "base/text.h"
#include "io/input_private.h"
#include "io/yaml_tree.h"

enum { DEPTH_MAX = 32 };

typedef struct Walk {
  Input *input;
  yaml_document_t *document;
  Location set; /* location of all keys if the text is not the file's; else empty */
} Walk;

static int line_of(const yaml_node_t *node) { return (int)node->start_mark.line + 1; }

static Location location_at(Input *input, int line)
{
  return (Location){line, line > 0 ? input_keep_text(input, "%s:%d", input->name, line) : NULL};
}

static Location location_of(const Walk *walk, const yaml_node_t *node)
{
  return walk->set.line > 0 ? walk->set : location_at(walk->input, line_of(node));
}

static const char *text_of(const yaml_node_t *node) { return (const char *)node->data.scalar.value; }

/* Nothing after the colon, or YAML's words for null. */
static bool is_null(const yaml_node_t *node)
{
  if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
    return false;
  const char *const text = text_of(node);
  return *text == '\0' || strcmp(text, "~") == 0 || strcasecmp(text, "null") == 0;
}

static const char *kind_of(const yaml_node_t *node)
{
  return node->type == YAML_MAPPING_NODE ? "a section ('key: value' lines)" : "a list";
}

static bool holds_nul(const yaml_node_t *node)
{
  return memchr(node->data.scalar.value, '\0', node->data.scalar.length) != NULL;
}

static void complain_wanted(Input *input, const Entry *entry, const char *found)
{
  char wanted[512];
  input_value_wanted(entry->parameter, input->unitless, wanted, sizeof wanted);
  input_complain_at(input, entry->location, entry->parameter->key, "%s; wanted: %s", found, wanted);
}

static void read_list(const Walk *walk, Entry *entry, const yaml_node_t *node)
{
  Input *const input = walk->input;
  const yaml_node_item_t *const start = node->data.sequence.items.start;
  const int n = (int)(node->data.sequence.items.top - start);
  const char **const item = input_keep(input, (size_t)(n + 1) * sizeof *item);
  if (item == NULL)
    return;
  for (int i = 0; i < n; i++) {
    const yaml_node_t *const value = yaml_document_get_node(walk->document, start[i]);
    if (value->type != YAML_SCALAR_NODE || holds_nul(value)) {
      complain_wanted(input, entry, "has an item that is not a single value");
      return;
    }
    item[i] = text_of(value);
  }
  input_value_set(input, entry, n, item);
}

static void read_parameter(const Walk *walk, Entry *entry, Location location, const yaml_node_t *node);

/* The text of a key that is a plain word; reports any other key. */
static const char *word_of(const Walk *walk, const yaml_node_t *key, const char *path)
{
  if (key->type == YAML_SCALAR_NODE && !holds_nul(key) && key->data.scalar.length < KEY_MAX)
    return text_of(key);
  input_complain_at(walk->input, location_of(walk, key), path, "a key that is not a plain word");
  return NULL;
}

static void complain_record_key(Input *input, const Entry *record, int rows, Location location,
                                const char *word)
{
  Nearest nearest = nearest_start(word);
  for (int k = 1; k <= rows; k++)
    nearest_try(&nearest, strrchr(record[k].parameter->key, '.') + 1, 0.0);
  char keys[512];
  input_records_keys(record[0].parameter, keys, sizeof keys);
  const bool near = nearest.name != NULL;
  input_complain_at(input, location, record[0].parameter->key, "unknown key '%s'; %s%s%s",
                    input_shown(word).text, near ? "did you mean " : "it can have ",
                    near ? nearest.name : keys, near ? "?" : "");
}

static void read_record(const Walk *walk, Entry *record, int rows, const yaml_node_t *node)
{
  const char *const path = record[0].parameter->key;
  record[0].given = true;
  record[0].location = location_of(walk, node);
  if (node->type != YAML_MAPPING_NODE) {
    input_complain_at(walk->input, record[0].location, path,
                      "is not a record; wanted: '- {key: value, ...}'");
    return;
  }
  const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
  for (; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *const key = yaml_document_get_node(walk->document, pair->key);
    const char *const word = word_of(walk, key, path);
    if (word == NULL)
      continue;
    int k = 1;
    while (k <= rows && strcmp(strrchr(record[k].parameter->key, '.') + 1, word) != 0)
      k++;
    if (k <= rows)
      read_parameter(walk, &record[k], location_of(walk, key),
                     yaml_document_get_node(walk->document, pair->value));
    else
      complain_record_key(walk->input, record, rows, location_of(walk, key), word);
  }
}

static void read_records(const Walk *walk, Entry *entry, const yaml_node_t *node)
{
  const yaml_node_item_t *const start = node->data.sequence.items.start;
  const int n = (int)(node->data.sequence.items.top - start);
  if (input_records_start(walk->input, entry, n) == NULL)
    return;
  for (int i = 0; i < n; i++)
    read_record(walk, input_records_row(entry, i), input_records_rows(entry),
                yaml_document_get_node(walk->document, start[i]));
}

/* A list of single values as text, "[a, b]"; NULL for anything else. */
static const char *joined(const Walk *walk, const yaml_node_t *node)
{
  size_t size = 3;
  if (node->type != YAML_SEQUENCE_NODE)
    return NULL;
  const yaml_node_item_t *const start = node->data.sequence.items.start, *const top =
                                                                             node->data.sequence.items.top;
  for (const yaml_node_item_t *at = start; at < top; at++) {
    const yaml_node_t *const item = yaml_document_get_node(walk->document, *at);
    if (item->type != YAML_SCALAR_NODE || holds_nul(item))
      return NULL;
    size += item->data.scalar.length + 2;
  }
  char *const text = input_keep(walk->input, size);
  if (text == NULL)
    return NULL;
  snprintf(text, size, "[");
  for (const yaml_node_item_t *at = start; at < top; at++)
    text_append(text, size, "%s%s", at > start ? ", " : "",
                text_of(yaml_document_get_node(walk->document, *at)));
  text_append(text, size, "]");
  return text;
}

static void read_map(const Walk *walk, Entry *entry, const yaml_node_t *node)
{
  const yaml_node_pair_t *pair = node->data.mapping.pairs.start;
  for (; pair < node->data.mapping.pairs.top; pair++) {
    const yaml_node_t *const key = yaml_document_get_node(walk->document, pair->key);
    const yaml_node_t *const value = yaml_document_get_node(walk->document, pair->value);
    const char *const word = word_of(walk, key, entry->parameter->key);
    if (word == NULL)
      continue;
    const char *const list = entry->parameter->lists ? joined(walk, value) : NULL;
    if (list != NULL)
      input_map_add(walk->input, entry, word, list, location_of(walk, key));
    else if (value->type == YAML_SCALAR_NODE && !is_null(value) && !holds_nul(value))
      input_map_add(walk->input, entry, word, text_of(value), location_of(walk, key));
    else
      input_complain_at(walk->input, location_of(walk, key), entry->parameter->key,
                        "'%s' has no single value", input_shown(word).text);
  }
}

static void read_value(const Walk *walk, Entry *entry, const yaml_node_t *node)
{
  Input *const input = walk->input;
  const ParameterType type = entry->parameter->type;
  if (is_null(node)) {
    complain_wanted(input, entry, "has no value");
  } else if (type == PARAMETER_RECORDS && node->type == YAML_SEQUENCE_NODE) {
    read_records(walk, entry, node);
  } else if (input_map_may_be(entry->parameter) && node->type == YAML_MAPPING_NODE) {
    read_map(walk, entry, node);
  } else if (node->type == YAML_SCALAR_NODE) {
    const char *const text = text_of(node);
    if (holds_nul(node))
      complain_wanted(input, entry, "contains a zero byte");
    else
      input_value_set(input, entry, 1, &text);
  } else if (node->type == YAML_SEQUENCE_NODE && input_value_is_list(entry->parameter)) {
    read_list(walk, entry, node);
  } else {
    char found[64];
    snprintf(found, sizeof found, "found %s", kind_of(node));
    complain_wanted(input, entry, found);
  }
}

static void read_parameter(const Walk *walk, Entry *entry, Location location, const yaml_node_t *node)
{
  Input *const input = walk->input;
  if (entry->line_in_file != 0) {
    input_complain_at(input, location, entry->parameter->key, "is given twice, the first time in line %d",
                      entry->line_in_file);
    return;
  }
  entry->line_in_file = location.line;
  if (input_superseded(input, entry))
    return;
  entry->given = true;
  entry->location = location;
  read_value(walk, entry, node);
}

static void read_mapping(const Walk *walk, const yaml_node_t *mapping, const char *path);

static void read_section(const Walk *walk, Section *section, Location location, const yaml_node_t *node)
{
  Input *const input = walk->input;
  if (section->location.line > 0) {
    input_complain_at(input, location, section->path, "is given twice, the first time in line %d",
                      section->location.line);
    return;
  }
  section->location = location;
  if (node->type == YAML_MAPPING_NODE)
    read_mapping(walk, node, section->path);
  else if (!is_null(node))
    input_complain_at(input, location, section->path, "is a section; wanted: its keys below it, indented");
}

typedef enum Part { PART_ALL, PART_SCALARS, PART_OTHERS } Part;

/* Cycles of aliases do no harm: a section is entered only under its own path, and paths end. */
static void read_part(const Walk *walk, const yaml_node_t *mapping, const char *path, Part part)
{
  Input *const input = walk->input;
  const yaml_node_pair_t *pair = mapping->data.mapping.pairs.start;
  for (; pair < mapping->data.mapping.pairs.top; pair++) {
    const yaml_node_t *const key = yaml_document_get_node(walk->document, pair->key);
    const yaml_node_t *const value = yaml_document_get_node(walk->document, pair->value);
    const Location location = location_of(walk, key);
    if (part != PART_ALL && (part == PART_SCALARS) != (value->type == YAML_SCALAR_NODE))
      continue;
    const char *const word = word_of(walk, key, path);
    if (word == NULL)
      continue;
    const char *const given = input_keep_text(input, "%s%s%s", path, *path != '\0' ? "." : "", word);
    const char *const full = given != NULL ? input_old(input, location, given) : NULL;
    if (full == NULL)
      continue;
    Entry *const entry = input_entry(input, full);
    Section *const section = input_section(input, full);
    if (entry != NULL)
      read_parameter(walk, entry, location, value);
    else if (section != NULL)
      read_section(walk, section, location, value);
    else
      input_unknown(input, location, full, value->type == YAML_MAPPING_NODE);
  }
}

static void read_mapping(const Walk *walk, const yaml_node_t *mapping, const char *path)
{
  read_part(walk, mapping, path, PART_ALL);
}

/* --- values that a comma has cut ---------------------------------------------------------------------- */

static bool is_cut(const yaml_node_t *node)
{
  int open = 0;
  if (node->type != YAML_SCALAR_NODE || node->data.scalar.style != YAML_PLAIN_SCALAR_STYLE)
    return false;
  for (size_t i = 0; i < node->data.scalar.length; i++)
    open += (node->data.scalar.value[i] == '(') - (node->data.scalar.value[i] == ')');
  return open > 0;
}

static bool in_flow(const yaml_node_t *node)
{
  return (node->type == YAML_MAPPING_NODE && node->data.mapping.style == YAML_FLOW_MAPPING_STYLE) ||
         (node->type == YAML_SEQUENCE_NODE && node->data.sequence.style == YAML_FLOW_SEQUENCE_STYLE);
}

/* The value within braces or brackets that ends at a comma in its parentheses; NULL: none does. */
static const yaml_node_t *cut_value(yaml_document_t *document)
{
  const yaml_node_t *node = document->nodes.start;
  for (; node < document->nodes.top; node++) {
    if (!in_flow(node))
      continue;
    const bool map = node->type == YAML_MAPPING_NODE;
    const ptrdiff_t n = map ? node->data.mapping.pairs.top - node->data.mapping.pairs.start
                            : node->data.sequence.items.top - node->data.sequence.items.start;
    for (ptrdiff_t i = 0; i + 1 < n; i++) {
      const yaml_node_t *const value = yaml_document_get_node(
          document, map ? node->data.mapping.pairs.start[i].value : node->data.sequence.items.start[i]);
      if (is_cut(value))
        return value;
    }
  }
  return NULL;
}

/* Reports it; true: there is one. */
static bool complain_cut(const Walk *walk, const char *path)
{
  const yaml_node_t *const cut = cut_value(walk->document);
  if (cut != NULL)
    input_complain_at(walk->input, location_of(walk, cut), path,
                      "'%s' lacks a ')', since within braces or brackets a value ends at a comma; put the "
                      "whole value in quotes, such as 'linear(0, 90)'",
                      input_shown(text_of(cut)).text);
  return cut != NULL;
}

/* --- the file as a whole ----------------------------------------------------------------------------- */

static void broken(Input *input, int line, const char *problem, const char *hint)
{
  input->broken = true;
  input_complain_at(input, location_at(input, line), "", "%s%s", problem, hint);
}

static void complain_yaml(Input *input, const yaml_parser_t *parser, const char *text, size_t length)
{
  char problem[512];
  if (parser->error == YAML_MEMORY_ERROR)
    input->memory = true;
  else
    broken(input, yaml_tree_problem(parser, text, length, problem, sizeof problem), problem, "");
}

/* libyaml's time grows with the square of the depth of brackets: 100 KiB of them take minutes. */
static bool too_deep(const char *text, size_t length)
{
  int depth = 0;
  for (size_t i = 0; i < length; i++) {
    if (text[i] == '[' || text[i] == '{')
      depth++;
    else if ((text[i] == ']' || text[i] == '}') && depth > 0)
      depth--;
    if (depth > DEPTH_MAX)
      return true;
  }
  return false;
}

static void read_document(Input *input, yaml_document_t *document)
{
  const yaml_node_t *const root = yaml_document_get_root_node(document);
  const Walk walk = {.input = input, .document = document};
  if (root == NULL || is_null(root))
    broken(input, 0, "is empty", "; start from one of the files under examples/");
  else if (root->type != YAML_MAPPING_NODE)
    broken(input, line_of(root), "has no 'key: value' lines",
           "; start from one of the files under examples/");
  else if (complain_cut(&walk, ""))
    input->broken = true;
  else
    for (Part part = PART_SCALARS; part <= PART_OTHERS; part++) /* units are needed first */
      read_part(&walk, root, "", part);
}

/* One file is one run: any further document is an error. */
static void refuse_more(Input *input, yaml_parser_t *parser, const char *text, size_t length)
{
  yaml_document_t document;
  if (!yaml_parser_load(parser, &document)) {
    complain_yaml(input, parser, text, length);
    return;
  }
  const yaml_node_t *const root = yaml_document_get_root_node(&document);
  if (root != NULL)
    broken(input, line_of(root), "a second document starts here; one file describes one run", "");
  yaml_document_delete(&document);
}

void input_yaml_read(Input *input, const char *text, size_t length)
{
  if (too_deep(text, length)) {
    broken(input, 0, "has brackets nested more than 32 deep, so it is not an input file", "");
    return;
  }
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    input->memory = true;
    return;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, length);
  yaml_document_t document;
  if (yaml_parser_load(&parser, &document)) {
    read_document(input, &document);
    yaml_document_delete(&document);
    if (!input->broken)
      refuse_more(input, &parser, text, length);
  } else {
    complain_yaml(input, &parser, text, length);
  }
  yaml_parser_delete(&parser);
}

void input_yaml_value(Input *input, Entry *entry, const char *text)
{
  yaml_parser_t parser;
  if (!yaml_parser_initialize(&parser)) {
    input->memory = true;
    return;
  }
  yaml_parser_set_input_string(&parser, (const unsigned char *)text, strlen(text));
  yaml_document_t document;
  if (too_deep(text, strlen(text)) || !yaml_parser_load(&parser, &document)) {
    complain_wanted(input, entry, "is not YAML");
  } else {
    const yaml_node_t *const root = yaml_document_get_root_node(&document);
    const Walk walk = {.input = input, .document = &document, .set = entry->location};
    if (root == NULL)
      complain_wanted(input, entry, "has no value");
    else if (!complain_cut(&walk, entry->parameter->key))
      read_value(&walk, entry, root);
    yaml_document_delete(&document);
  }
  yaml_parser_delete(&parser);
}
