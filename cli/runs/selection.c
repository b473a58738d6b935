/* Selects the runs of a command, by options or by an argument. */
#include "cli/runs/runs.h"

#define FIELD(member) OPTION_FIELD(struct run_filter, member)
const struct option run_filter_options[] = {
	{FIELD(kernel), "kernel", "GLOB", "only kernels that match"},
	{FIELD(variant), "variant", "GLOB", "only variants that match"},
	{FIELD(dtype), "dtype", "D", "only this dtype"},
	{FIELD(device), "device", "D", "only this device"},
	{.kind = OPTION_END},
};

static bool is_hex(const char *text)
{
	return strlen(text) >= 6 && strspn(text, "0123456789abcdef") == strlen(text);
}

int runs_choose(struct cli *cli, const char *what, const struct run_query *query,
		struct loaded_list *runs, struct error *err)
{
	char oid[65];
	struct run_query asked = *query;
	asked.id = what;
	if (what && is_hex(what)) {
		if (runs_load(cli, &asked, runs, err) < 0)
			return -1;
		if (runs->count)
			return 0;
	}
	if (runs_select_commit(cli, what, oid, err) < 0)
		return -1;
	asked.id = NULL;
	asked.commit = oid;
	if (runs_load(cli, &asked, runs, err) < 0)
		return -1;
	runs_median_per_series(cli, runs);
	if (runs->count == 0)
		return error_set(err, ERR_STORE, "commit %.10s has no stored runs that match", oid);
	return 0;
}
