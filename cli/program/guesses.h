/* What other programs call the commands and options of this one. */
#pragma once

#include "cli/config/config.h"

/* What to say of a word that is not a command: a whole sentence. NULL: nothing. */
const char *guess_command(const char *name);
/* The same of an option that the command (NULL: none yet) does not have. */
const char *guess_option(const char *command, struct span name);
