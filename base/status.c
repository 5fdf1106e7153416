#include "base/status.h"

int status_exit_code(Status status)
{
  switch (status) {
  case STATUS_OK:
    return 0;
  case STATUS_INPUT:
    return 2;
  case STATUS_RUN:
  case STATUS_MEMORY:
  case STATUS_IO:
    return 3;
  }
  return 3;
}
