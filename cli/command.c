/* The command table. */
#include "cli/command.h"

int command_main(int argc, char **argv)
{
	(void)argv;
	return argc > 1 ? 2 : 0;
}
