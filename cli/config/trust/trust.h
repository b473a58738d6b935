/*
 * Which files decide or present a verdict: those of the commit that a change is compared with (the
 * base). The work tree and the candidate's commit are the change's own, and a change cannot choose
 * the rules by which it is judged. The work tree's files count where nothing is judged, without a
 * base, and with --trust-work-tree.
 *
 * A path that is not in the work tree, --config /etc/rooflog.config, is the caller's word.
 *
 * Never add what a file means.
 */
#pragma once

#include "cli/context.h"
#include "model/gate/gate.h"

/* The option of every command that judges. */
struct trust_options {
	bool work_tree;
};
extern const struct option trust_option_rows[];

/* Reads a file of a commit: the store's copy, else git. *unread is NULL, or why the commit cannot
 * be read (no repository, or it lacks the commit), and then nothing was found. A file that is too
 * large, a link or a directory is an error. */
int trust_read_commit(struct cli *cli, struct repository_file *file, const char **unread,
		      struct error *err);
/* Stores the deciding files of a commit if git has its tree, so that a later gate need not ask git.
 * An empty oid does nothing. The caller holds a transaction of the store. */
int trust_remember(struct cli *cli, const char *oid, struct error *err);

struct trust_request {
	const char *base; /* full id; "": there is none */
	const char *candidate;
	enum message_code when; /* the change's own files count: MESSAGE_CONFIGURATION_... */
	bool work_tree;         /* --trust-work-tree */
};
/* Loads the configuration that decides into cli->settings, and describes it. From here on cli->base
 * says whose files count. *unread is as above; then nothing was loaded. */
int trust_load_configuration(struct cli *cli, const struct trust_request *request,
			     struct gate_configuration *used, const char **unread,
			     struct error *err);
/* For a verdict that has no base: the built-in defaults, and no file of the work tree unless that
 * is trusted. Does nothing if a configuration is loaded. */
int trust_load_defaults(struct cli *cli, const struct trust_options *options, struct error *err);

/* Reads a file that the user named and that presents a verdict, such as a template. Warns if that
 * of the work tree differs. *found is false if the file is missing everywhere; one that only the
 * work tree has is an error. */
int trust_read_named(struct cli *cli, const char *path, size_t limit, bool *found,
		     struct span *bytes, struct error *err);
