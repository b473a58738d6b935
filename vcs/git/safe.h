/* How git is started, so that it runs no other program and reaches no network, whatever the
 * configuration of the repository says. */
#pragma once

#include "base/base.h"

enum { SAFE_ARGUMENTS = 40 };

/* Writes the arguments that stand before git's command; returns their number. */
size_t git_safe_arguments(const char *arguments[SAFE_ARGUMENTS]);

/* Variables that git is given in addition to those of the caller, or instead of them. */
extern const char *const git_safe_environment[];
