/* What is stated about runs in addition to what their files say. */
#include "cli/ingest/ingest.h"

static const char *say(struct arena *arena, const char *name, const char *value)
{
	return arena_printf(arena, "%.80s=%.80s", name, value);
}

/* What --set or --from-path states and something nearer to the run says otherwise. */
void ingest_contradict(struct ingest *ingest, const struct incoming *one, const char *name,
		       const char *stated, const char *said)
{
	const char *text =
		arena_printf(ingest->arena, "%s is ignored: the file says %s",
			     say(ingest->arena, name, stated), say(ingest->arena, name, said));
	for (size_t i = 0; i < ingest->contradiction_count; i++)
		if (strcmp(ingest->contradictions[i].text, text) == 0) {
			ingest->contradictions[i].runs++;
			return;
		}
	if (ingest->contradiction_count < INGEST_CONTRADICTIONS)
		ingest->contradictions[ingest->contradiction_count++] =
			(struct contradiction){one->path, text, 1};
}

void ingest_warn_of_contradictions(const struct ingest *ingest)
{
	for (size_t i = 0; i < ingest->contradiction_count; i++) {
		const struct contradiction *found = &ingest->contradictions[i];
		if (found->runs > 1)
			cli_warn(ingest->cli, "%s: %s (%zu runs)", found->path, found->text,
				 found->runs);
		else
			cli_warn(ingest->cli, "%s: %s", found->path, found->text);
	}
}

/* What counts of a fact that a file may say, too. */
const char *ingest_choose(struct ingest *ingest, const struct incoming *one, const char *name,
			  const char *said, const char *stated)
{
	if (said && said[0] && stated && strcmp(said, stated) != 0)
		ingest_contradict(ingest, one, name, stated, said);
	return said && said[0] ? said : stated;
}

/* Sets the parameters: those of a params.json override the file's own, the others only add. */
void ingest_set_params(struct ingest *ingest, const struct incoming *one,
		       const struct facts *beside, const struct facts *stated)
{
	struct run *run = one->run;
	for (size_t i = 0; i < beside->params.count; i++)
		run_set_param(ingest->arena, run, beside->params.items[i].name,
			      beside->params.items[i].value);
	for (size_t i = 0; i < stated->params.count; i++) {
		const struct run_param *param = &stated->params.items[i];
		const char *value = ingest_choose(ingest, one, param->name,
						  run_param(run, param->name), param->value);
		run_set_param(ingest->arena, run, param->name, value);
	}
}

/* What --set and the path of the file state. */
int ingest_stated_of(struct ingest *ingest, const struct incoming *one, struct facts *stated,
		     struct error *err)
{
	const char *pattern = ingest->options->reading.from_path;
	struct facts of_path = {0};
	*stated = (struct facts){0};
	facts_fill(ingest->arena, stated, &ingest->stated);
	if (!pattern)
		return 0;
	int matches = facts_of_path(ingest->arena, pattern, one->path, &of_path, err);
	if (matches == 0)
		return error_set(err, ERR_USAGE, "%.300s does not match --from-path '%.200s'",
				 one->path, pattern);
	facts_fill(ingest->arena, stated, &of_path);
	return matches < 0 ? -1 : 0;
}
