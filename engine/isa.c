#include "engine/isa.h"

#include <stdlib.h>
#include <string.h>

static const char *const names[ISA_COUNT] = {"plain", "avx2", "avx512"};

bool isa_runs(Isa isa)
{
  switch (isa) {
  case ISA_PLAIN:
    return true;
  case ISA_AVX2:
#if defined(HOLONOM_AVX2)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
    return false;
#endif
  case ISA_AVX512:
#if defined(HOLONOM_AVX512)
    return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
           __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512bw") &&
           __builtin_cpu_supports("avx512cd");
#else
    return false;
#endif
  case ISA_COUNT:
    break;
  }
  return false;
}

static Isa fastest(void)
{
  if (isa_runs(ISA_AVX512))
    return ISA_AVX512;
  return isa_runs(ISA_AVX2) ? ISA_AVX2 : ISA_PLAIN;
}

/* isa_wanted reports an invalid HOLONOM_ISA. */
Isa isa_best(void)
{
  const char *name = getenv("HOLONOM_ISA");
  Isa isa = fastest();
  if (name != NULL)
    (void)isa_find(name, &isa, NULL);
  return isa;
}

const char *isa_name(Isa isa) { return isa < ISA_COUNT ? names[isa] : "unknown"; }

Status isa_check(Isa isa, Error *error)
{
  return isa_runs(isa) ? STATUS_OK
                       : error_set(error, STATUS_INPUT, "this machine or this build has no %s instructions",
                                   isa_name(isa));
}

Status isa_find(const char *name, Isa *isa, Error *error)
{
  if (strcmp(name, "best") == 0) {
    *isa = fastest();
    return STATUS_OK;
  }
  for (Isa i = ISA_PLAIN; i < ISA_COUNT; i++) {
    if (strcmp(name, names[i]) != 0)
      continue;
    if (!isa_runs(i))
      return error_set(error, STATUS_INPUT, "this machine or this build has no %s instructions; use 'best'",
                       name);
    *isa = i;
    return STATUS_OK;
  }
  return error_set(error, STATUS_INPUT, "unknown instruction set '%s'; known: best, plain, avx2, avx512",
                   name);
}

Status isa_wanted(Isa *isa, Error *error)
{
  const char *name = getenv("HOLONOM_ISA");
  *isa = isa_best();
  return name != NULL ? isa_find(name, isa, error) : STATUS_OK;
}
