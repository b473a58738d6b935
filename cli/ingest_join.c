/* Joining runs with what lies beside them: by the hash of the kernel, or by directory. */
#include "cli/ingest.h"

#include <math.h>
#include <string.h>

/* Whether the companion's file lies in `name`/... below the run's directory. */
static bool lies_in(const struct placed_companion *placed, const char *directory, const char *name)
{
	size_t len = strlen(directory);
	const char *rest = placed->directory;
	if (strcmp(directory, ".") != 0) {
		if (strncmp(rest, directory, len) != 0 || rest[len] != '/')
			return false;
		rest += len + 1;
	}
	size_t name_len = strlen(name);
	return strncmp(rest, name, name_len) == 0 &&
	       (rest[name_len] == '/' || rest[name_len] == '\0');
}

static bool belongs(const struct placed_companion *placed, const struct incoming *one)
{
	const struct companion *companion = placed->companion;
	const struct run *run = one->run;
	if (companion->kernel_hash)
		return text_eq(companion->kernel_hash, run->kernel_hash);
	if (companion->stage && run_param(run, "stage") &&
	    strcmp(companion->stage, run_param(run, "stage")) != 0)
		return false;
	if (!companion->directory)
		return strcmp(placed->directory, one->directory) == 0;
	return lies_in(placed, one->directory, companion->directory);
}

/* What runs do not know themselves. */
static void add_facts(struct run *run, const struct companion *companion)
{
	if (!run->device)
		run->device = companion->device;
	for (size_t i = 0; i < companion->value_count; i++) {
		const struct companion_value *fact = &companion->values[i];
		if (isnan(run->given[fact->metric].number))
			run_give(run, fact->metric, fact->value.number, fact->value.provenance);
	}
}

void ingest_join_facts(struct ingest *ingest)
{
	for (size_t i = 0; i < ingest->companion_count; i++)
		for (size_t j = 0; j < ingest->run_count; j++)
			if (belongs(&ingest->companions[i], &ingest->runs[j]))
				add_facts(ingest->runs[j].run, ingest->companions[i].companion);
}

void ingest_join(struct cli *cli, struct ingest *ingest)
{
	for (size_t i = 0; i < ingest->companion_count; i++)
		for (size_t j = 0; j < ingest->run_count; j++) {
			const struct companion *companion = ingest->companions[i].companion;
			struct run *run = ingest->runs[j].run;
			if (!belongs(&ingest->companions[i], &ingest->runs[j]))
				continue;
			for (size_t k = 0; k < companion->attribute_count; k++)
				run_add_attribute(&cli->arena, run, companion->attributes[k].key,
						  companion->attributes[k].text);
			for (size_t k = 0; k < companion->tally_count; k++)
				run_add_tally(&cli->arena, run, companion->tallies[k]);
		}
}
