/* Selects the runs of a command, by options or by an argument. */
#include "cli/runs/runs.h"

#define FIELD(member) OPTION_FIELD(struct run_filter, member)
const struct option run_filter_options[] = {
	{FIELD(kernel), "kernel", "GLOB", "only kernels that match", .letter = 'k'},
	{FIELD(variant), "variant", "GLOB", "only variants that match"},
	{FIELD(dtype), "dtype", "D", "only this dtype"},
	{FIELD(device), "device", "D", "only this device"},
	{.kind = OPTION_END},
};

struct run_query runs_query(const struct run_filter *filter, const char *commit)
{
	static const struct run_filter all = {0};
	const struct run_filter *f = filter ? filter : &all;
	return (struct run_query){.kernel = f->kernel,
				  .variant = f->variant,
				  .dtype = f->dtype,
				  .device = f->device,
				  .commit = commit};
}

int runs_none(const char *oid, struct error *err)
{
	return error_set(err, ERR_STORE, "commit %.10s has no stored runs that match", oid);
}

static bool is_hex(const char *text)
{
	return strlen(text) >= 6 && strspn(text, "0123456789abcdef") == strlen(text);
}

int runs_choose(struct cli *cli, const char *what, const struct run_filter *filter,
		struct loaded_list *runs, struct error *err)
{
	char oid[65] = "";
	struct run_query query = runs_query(filter, NULL);
	query.id = what;
	if (what && is_hex(what)) {
		if (runs_load_facts(cli, &query, runs, err) < 0)
			return -1;
		if (runs->count)
			return 0;
	}
	query = runs_query(filter, oid);
	if (runs_select_commit(cli, what, oid, err) < 0 ||
	    runs_load_facts(cli, &query, runs, err) < 0)
		return -1;
	runs_median_per_series(cli, runs);
	return runs->count ? 0 : runs_none(oid, err);
}
