/* The commands of the gallery, for the table in cmd/main.c. */
#ifndef HOLONOM_GALLERY_COMMAND_GALLERY_H
#define HOLONOM_GALLERY_COMMAND_GALLERY_H

#include "cmd/command.h"

extern const Command command_gallery, command_example;

#endif
