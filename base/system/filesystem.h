/* Distinguishes local from network file systems: only a local one can hold a write-ahead log. */
#pragma once

#include "base/base.h"

/* False if the file is on a network file system, where the log's shared memory is not visible to
 * other machines. True if the kind of file system is unknown. */
bool filesystem_is_local(const char *path);
