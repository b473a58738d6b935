/* gate --rerun: measures again what another measurement would decide, by the command of the
 * configuration that counts, and stores it. */
#include "cli/gate/internal.h"

#include "base/system/system.h"
#include "render/document/key.h"
#include "render/gate/gate.h"

/* Members of a line of "gate -o rerun=FILE" that has no schema (docs/formats/documents.md). */
static const char words_member[] = "words", command_member[] = "command",
		  fault_member[] = "command_fault";

enum { WORDS = 1024 };

struct rerunning {
	struct cli *cli;
	const struct gate_rerun_request *request;
	const struct gate_result *gate;
	size_t started; /* commands */
};

static int run_words(const struct rerunning *r, const char *const *words, const char *what,
		     struct error *err)
{
	struct process_result result = {.status = 0};
	if (cli_run_storing(r->cli, words, &result, err) < 0)
		return -1;
	int rc = 0;
	if (result.status != 0)
		rc = error_set(err, ERR_SYSTEM, "--rerun: %.300s ended with status %d: %.300s",
			       what, result.status, strbuf_text(&result.error));
	process_result_free(&result);
	return rc;
}

/* Each measurement is an ingest of its own. */
static int ingest_folder(const struct rerunning *r, struct error *err)
{
	const char *against = r->request->against;
	const char *words[WORDS] = {"/proc/self/exe"};
	size_t count = 1;
	struct arena *arena = &r->cli->arena;
	const char *const *common = cli_common_words(&r->cli->arena, &r->cli->common);
	for (; *common && count < WORDS / 2; common++)
		words[count++] = *common;
	words[count++] = "ingest";
	if (!r->gate->input->dirty)
		words[count++] = arena_printf(arena, "--commit=%s", r->gate->input->candidate.oid);
	if (gate_command_branch(against))
		words[count++] = arena_printf(arena, "--against=%s", against);
	words[count++] = "--";
	words[count++] = r->request->folder;
	return run_words(r, words, "ingest", err);
}

/* The words of the command; NULL if a value of the series cannot be in it. */
static const char *const *words_of(const struct rerunning *r, const struct json *line)
{
	const char **words = arena_array(&r->cli->arena, WORDS + 1, sizeof *words);
	size_t count = 0;
	for (const struct json *word = json_first(line, words_member); word && count < WORDS;
	     word = word->next)
		words[count++] = word->text;
	words[count] = NULL;
	return count ? words : NULL;
}

static int measure_series(struct rerunning *r, const struct json *line, struct error *err)
{
	const char *const *words = words_of(r, line);
	size_t sessions = (size_t)json_number(line, KEY(measurements), 1);
	if (!words)
		cli_warn(r->cli, "--rerun: %s is not measured again: %s",
			 json_text(line, KEY(series), ""),
			 json_text(line, fault_member, "its command has no words"));
	for (size_t i = 1; words && i <= sessions; i++) {
		r->started++;
		cli_note(r->cli, "measuring again, %zu of %zu: %s", i, sessions,
			 json_text(line, command_member, ""));
		if (run_words(r, words, words[0], err) < 0 ||
		    (r->request->folder && ingest_folder(r, err) < 0))
			return -1;
	}
	return 0;
}

/* The commands write to the store meanwhile, so it is closed. */
static int measure_all(struct rerunning *r, struct span lines, struct error *err)
{
	while (lines.ptr) {
		struct span line = span_cut(&lines, '\n');
		if (!line.len)
			continue;
		const struct json *one = json_parse(&r->cli->arena, line, err);
		if (!one || measure_series(r, one, err) < 0)
			return -1;
	}
	return 0;
}

/* What is measured is the work tree: it must be what is judged. */
static int check_tree(struct cli *cli, const struct gate_input *input, struct error *err)
{
	char head[65];
	bool dirty;
	if (strstr(input->settings->rerun, "{{commit}}"))
		return 0;
	if (cli_open_repository(cli, err) < 0 ||
	    repository_resolve(cli->repository, "HEAD", head, err) < 0 ||
	    repository_is_dirty(cli->repository, &dirty, err) < 0)
		return -1;
	if (strcmp(head, input->candidate.oid) != 0)
		return error_set(
			err, ERR_USAGE,
			"--rerun measures the work tree, which is at %.10s: check out %.10s", head,
			input->candidate.oid);
	if (dirty != input->dirty)
		return error_set(
			err, ERR_USAGE,
			dirty ? "--rerun would measure the uncommitted changes of the work "
				"tree as %.10s: commit or stash them"
			      : "--rerun: the runs that are judged at %.10s have uncommitted "
				"changes, and the work tree has none",
			head);
	return 0;
}

int gate_command_rerun(struct cli *cli, const struct gate_rerun_request *request,
		       const struct gate_result *gate, struct error *err)
{
	struct rerunning r = {cli, request, gate, 0};
	struct store_counts before, after;
	struct strbuf lines = {0};
	if (!gate->reruns.count)
		return 0;
	if (!gate->input->settings->rerun)
		return error_set(err, ERR_USAGE,
				 "--rerun needs [gate] rerun = COMMAND in the configuration that "
				 "counts (rooflog help config)");
	if (check_tree(cli, gate->input, err) < 0)
		return -1;
	int rc = render_gate_rerun_list(&cli->arena, gate, &lines, err);
	const char *list = strbuf_into(&lines, &cli->arena);
	if (rc < 0 || store_counts(cli->store, &before, err) < 0)
		return -1;
	store_close(cli->store);
	cli->store = NULL;
	if (measure_all(&r, span_of(list), err) < 0 || cli_open_store(cli, STORE_READ, err) < 0 ||
	    store_counts(cli->store, &after, err) < 0)
		return -1;
	if (r.started && after.runs == before.runs)
		return error_set(
			err, ERR_STORE,
			"--rerun: no new run was stored: the command must end with rooflog "
			"ingest, or --rerun=FOLDER must be where it writes");
	return 1; /* closing the store has taken its texts along */
}
