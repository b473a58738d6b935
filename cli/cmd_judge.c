/* rooflog judge: the last commit of each series of a table against those before it, so that anybody
 * can score the judge. */
#include "cli/command.h"

#include "cli/series.h"
#include "model/detect.h"
#include "model/judge.h"

static struct judge_result judge_case(const struct measured_series *series)
{
	struct arena scratch = {NULL, 0};
	struct detect_options detect = detect_defaults();
	struct judge_options options = judge_defaults();
	size_t count = series->count - 1, from = 0;
	const double *record = series_values(&scratch, series);
	struct detect_result changes = detect_changes(&scratch, record, count, &detect);
	if (changes.count)
		from = changes.changes[changes.count - 1].index;
	struct judge_result result =
		judge(&scratch, record + from, count - from, series->commits[count].values,
		      series->commits[count].count, &options);
	arena_free(&scratch);
	return result;
}

static void add_object(struct arena *arena, struct json *list, const struct measured_series *series,
		       const struct judge_result *result)
{
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, "case", series->name);
	json_set_text(arena, object, "verdict", judge_name(result->verdict));
	json_set_number(arena, object, "effect", result->effect);
	json_set_number(arena, object, "effect_low", result->low);
	json_set_number(arena, object, "effect_high", result->high);
	json_set_number(arena, object, "p_slower", result->p);
	json_set_number(arena, object, "p_faster", result->p_faster);
	json_set_number(arena, object, "noise", result->scale);
	json_set_number(arena, object, "detectable", result->detectable);
	json_set_number(arena, object, "level", result->level);
	json_set_number(arena, object, "level_error", result->level_error);
	json_set_number(arena, object, "commits", (double)result->count);
	json_set_number(arena, object, "missing_commits", (double)result->missing_commits);
	json_set_number(arena, object, "more_runs", (double)result->more_runs);
	struct json *gates = json_set_array(arena, object, "gates");
	for (size_t i = 0; i < JUDGE_GATE_LIMIT; i++) {
		const struct judge_gate *gate = &result->gates[i];
		struct json *row = json_add_object(arena, gates);
		json_set_text(arena, row, "name", gate->name);
		json_set_bool(arena, row, "passed", gate->passed);
		json_set_number(arena, row, "value", gate->value);
		json_set_number(arena, row, "limit", gate->limit);
	}
}

int cmd_judge(struct cli *cli, int argc, char **argv, struct error *err)
{
	bool as_json = false;
	int rest;
	const struct option options[] = {
		{OPTION_FLAG, "json", NULL, "the numbers behind each verdict, as JSON", &as_json},
		{OPTION_END, NULL, NULL, NULL, NULL},
	};
	if (cli_options(cli, "judge", "[OPTION]... [FILE]",
			"Judges the last commit of each series against those before it: regressed, "
			"improved, unchanged\nor undecided; smaller is better. Reads a table "
			"(default: standard input) with the columns index\nand value, and case or "
			"series; rows with the same index are repeats of one commit.",
			options, argc, argv, &rest, err) < 0)
		return -1;
	if (cli->help)
		return EXIT_PASS;
	struct measured_series_list list;
	if (cli_read_series(cli, rest, argv, &list, err) < 0)
		return -1;
	struct json *document = json_array(&cli->arena);
	struct strbuf out = {0};
	for (size_t i = 0; i < list.count; i++) {
		struct judge_result result = judge_case(&list.items[i]);
		if (as_json)
			add_object(&cli->arena, document, &list.items[i], &result);
		else
			strbuf_addf(&out, "%s%s%s\n", list.items[i].name,
				    list.items[i].name[0] ? "," : "", judge_name(result.verdict));
	}
	int rc = as_json ? cli_print_json(document, err) : cli_print(strbuf_text(&out), err);
	strbuf_free(&out);
	return rc < 0 ? -1 : EXIT_PASS;
}
