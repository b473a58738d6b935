/* The program. Everything else is in command.c, which unit tests link without main(). */
#include "cli/command.h"

int main(int argc, char **argv)
{
	return command_main(argc, argv);
}
