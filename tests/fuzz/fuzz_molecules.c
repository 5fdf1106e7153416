/* Files of molecules: whatever the text, molecules or a message. */
#include <stdint.h>
#include <stdlib.h>

#include "io/molecules_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  Molecules *molecules;
  Error error = {0};
  if (molecules_file_parse(&molecules, "fuzz.yaml", (const char *)data, size, &error) == STATUS_OK)
    molecules_free(molecules);
  else if (error.text[0] == '\0')
    abort(); /* a failure says why */
  return 0;
}
