/*
 * The command line: a table of verbs, one file each. Only this folder prints,
 * exits and picks an exit status.
 */
#ifndef CLI_COMMAND_H
#define CLI_COMMAND_H

#include "cli/context.h"
#include "model/verdict/exit_status.h"

struct command {
	const char *name;
	const char *summary; /* one line for the list of commands */
	/* argv[0] is the command's name. Returns an enum exit_status; -1 after filling *err. */
	int (*run)(struct cli *cli, int argc, char **argv, struct error *err);
};

/* NULL-named row at the end. */
extern const struct command commands[];

int command_main(int argc, char **argv);

int cmd_init(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_ingest(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_log(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_show(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_compare(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_report(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_site(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_devlog(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_chart(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_buckets(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_detect(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_judge(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_gate(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_accept(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_bisect(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_calibrate(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_fusion(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_ntff(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_baseline(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_formats(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_devices(struct cli *cli, int argc, char **argv, struct error *err);
int cmd_doctor(struct cli *cli, int argc, char **argv, struct error *err);

#endif
