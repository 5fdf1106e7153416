#include "engine/stop.h"

/* The number of the signal. */
static Flag asked;

void stop_ask(int number) { flag_raise(&asked, number); }

bool stop_asked(void) { return flag_value(&asked) != 0; }

const Flag *stop_flag(void) { return &asked; }

int stop_exit_code(void) { return stop_asked() ? 128 + flag_value(&asked) : 0; }
