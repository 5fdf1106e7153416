#include "gallery/page_write.h"

#include <stdlib.h>
#include <string.h>

#include "engine/file.h"
#include "engine/text.h"

Status page_write_file(const char *dir, const char *name, void (*write)(FILE *file, int n, Page *const *page),
                       int n, Page *const *page, Error *error)
{
  Text *text;
  const Status status = text_replace(&text, dir, name, error);
  if (status != STATUS_OK)
    return status;
  write(text_file(text), n, page);
  return text_close(text, error);
}

int page_write_character(const char *text)
{
  const unsigned char *s = (const unsigned char *)text;
  const int n = s[0] < 0x80 ? 1 : s[0] < 0xC2 ? 0 : s[0] < 0xE0 ? 2 : s[0] < 0xF0 ? 3 : s[0] < 0xF5 ? 4 : 0;
  for (int i = 1; i < n; i++)
    if ((s[i] & 0xC0) != 0x80)
      return 0;
  if ((s[0] == 0xE0 && s[1] < 0xA0) || (s[0] == 0xF0 && s[1] < 0x90)) /* a longer way to write another */
    return 0;
  return (s[0] == 0xED && s[1] > 0x9F) || (s[0] == 0xF4 && s[1] > 0x8F) ? 0 : n;
}

void page_write_target(FILE *file, const char *text)
{
  for (const char *s = text; *s != '\0'; s++)
    if ((*s >= 'a' && *s <= 'z') || (*s >= 'A' && *s <= 'Z') || (*s >= '0' && *s <= '9') ||
        strchr("-._/", *s) != NULL)
      fputc(*s, file);
    else
      fprintf(file, "%%%02X", (unsigned char)*s);
}

int64_t page_write_length(const Page *page, const char *name, const char *suffix)
{
  char file[512];
  snprintf(file, sizeof file, "%s%s", name, suffix);
  return file_length(page->folder, file);
}

const char *page_write_verdict(int holds) { return holds > 0 ? "yes" : (holds == 0 ? "no" : "–"); }
