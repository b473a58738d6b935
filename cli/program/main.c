/* The program. Everything else is in program.c, which unit tests link without main(). */
#include "cli/program/program.h"

int main(int argc, char **argv)
{
	return program_main(argc, argv);
}
