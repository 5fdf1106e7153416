/* The version with the commit it was built from, set by cmake/version.cmake. HOLONOM_VERSION has no commit,
 * so that checkpoints and results do not depend on it. */
#ifndef HOLONOM_CMD_VERSION_H
#define HOLONOM_CMD_VERSION_H

extern const char version_said[];

#endif
