/* The version with the commit that it was built from, made by cmake/version.cmake. HOLONOM_VERSION has none,
 * so that checkpoints and results do not depend on the commit. */
#ifndef HOLONOM_CMD_VERSION_H
#define HOLONOM_CMD_VERSION_H

extern const char version_said[];

#endif
