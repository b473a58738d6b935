/* The table of commands. */
#include "cli/command.h"

const struct command *const cli_commands[] = {
#define COMMAND(name) &command_##name,
#include "cli/commands.def"
#undef COMMAND
	NULL,
};
