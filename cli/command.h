/*
 * The command line: a table of verbs, one file each. Only this folder prints,
 * exits and picks an exit status.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

int command_main(int argc, char **argv);

#endif
