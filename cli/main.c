/* The program. */
#include "cli/command.h"

int main(int argc, char **argv)
{
	return command_main(argc, argv);
}
