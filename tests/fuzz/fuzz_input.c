/* Input files: whatever the text, an input or a message. */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "config/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  char *text = malloc(size + 1);
  if (text == NULL)
    return 0;
  memcpy(text, data, size);
  text[size] = '\0';
  Config *config;
  Error error = {0};
  if (config_parse("fuzz.yaml", text, NULL, 0, &config, &error) == STATUS_OK)
    config_free(config);
  else if (error.text[0] == '\0')
    abort(); /* a failure says why */
  free(text);
  return 0;
}
