/* A branch that begins at an old commit is judged by the record there: a change is not charged for
 * what the main branch gained since. What would be worse at the branch's tip is said, once, because
 * a change may have begun where slow was usual. */
#include "cli/gate/internal.h"

#include "model/run/runs.h"

/* The commits with runs from the tip down to the record, itself not included. */
static int count_newer(struct cli *cli, const struct gate_reference *reference, char newest[65],
		       size_t *count, struct error *err)
{
	const int64_t end = runs_known_position(cli, reference->oid);
	struct revision at = {.position = INT64_MAX};
	char oid[65];
	*count = 0;
	memcpy(oid, reference->tip, sizeof oid);
	for (;;) {
		int64_t position = at.position;
		if (runs_newest_measured(cli, oid, err) < 0)
			return -1;
		if (!oid[0])
			return 0;
		if (store_revision(cli->store, &cli->arena, oid, &at, err) < 0)
			return -1;
		/* Positions decrease at every step, unless the store is damaged. */
		if (at.position <= end || at.position >= position)
			return 0;
		if ((*count)++ == 0)
			memcpy(newest, oid, sizeof oid);
		snprintf(oid, sizeof oid, "%s", at.parent);
	}
}

/* The same candidates, joined with nothing yet. */
static struct gate_series_list *candidates_of(struct arena *arena,
					      const struct gate_series_list *list)
{
	struct gate_series_list *same = arena_new(arena, struct gate_series_list);
	for (size_t i = 0; i < list->count; i++)
		if (list->items[i].candidate.count)
			*arena_add(arena, same) =
				(struct gate_series){.key = list->items[i].key,
						     .run = list->items[i].run,
						     .candidate = list->items[i].candidate,
						     .baseline_age = -1};
	return same;
}

static int judge_at(struct cli *cli, const struct gate_request *request, const char *oid,
		    const struct gate_input *here, struct gate_result *result, struct error *err)
{
	struct gate_input *input = arena_new(&cli->arena, struct gate_input);
	struct gate_series_list *list = candidates_of(&cli->arena, here->series);
	struct history_set *set = arena_new(&cli->arena, struct history_set);
	*input = *here;
	input->series = list;
	input->histories = set;
	input->newest = 0;
	input->pin_name = NULL;
	input->windowed = input->best = false;
	if (gate_command_load_record(cli, request, oid, list, input, set, err) < 0 ||
	    gate_command_join(cli, request, input, list, err) < 0)
		return -1;
	struct gate_plan plan = gate_plan(&cli->arena, input);
	gate_command_load_older(cli, &plan.needed);
	*result = gate_run(&cli->arena, &plan);
	return 0;
}

static bool is_worse(const struct comparison *one)
{
	return one->judged.verdict == VERDICT_REGRESSED || one->judged.verdict == VERDICT_SUSPECT;
}

/* The same series by the same rule; rules are elements of one array. */
static int by_question(const void *a, const void *b)
{
	const struct comparison *x = *(const struct comparison *const *)a;
	const struct comparison *y = *(const struct comparison *const *)b;
	int order = strcmp(x->series->key, y->series->key);
	if (!order)
		order = (x->policy > y->policy) - (x->policy < y->policy);
	return order ? order : (x->metric > y->metric) - (x->metric < y->metric);
}

/* The comparisons that are not worse, sorted. */
static const struct comparison **passing(struct arena *arena, const struct gate_result *gate,
					 size_t *count)
{
	const struct comparison **found = arena_array(arena, gate->count + 1, sizeof *found);
	*count = 0;
	for (size_t i = 0; i < gate->count; i++)
		if (!is_worse(&gate->comparisons[i]))
			found[(*count)++] = &gate->comparisons[i];
	array_sort(found, *count, sizeof *found, by_question);
	return found;
}

/* The sentence; NULL: there is nothing to say. */
static const struct message *sentence(struct arena *arena, const struct gate_result *gate,
				      const struct gate_result *at_tip, size_t newer)
{
	const struct comparison *first = NULL;
	size_t count = 0, pass_count;
	const struct comparison **pass = passing(arena, gate, &pass_count);
	for (size_t i = 0; i < at_tip->count; i++) {
		const struct comparison *one = &at_tip->comparisons[i];
		if (one->policy->role == POLICY_CONTEXT || !is_worse(one) ||
		    !bsearch(&one, pass, pass_count, sizeof *pass, by_question))
			continue;
		first = first ? first : one;
		count++;
	}
	if (!first)
		return NULL;
	struct short_names names = gate_short_names(arena, at_tip);
	const struct message_value verdict =
		verdict_value(verdict_words(&first->judged), metric_is_time_or_rate(first->metric));
	const struct message *more =
		count > 1 ? message_of(arena, MESSAGE_GATE_AT_TIP_MORE, message_integer(count - 1))
			  : NULL;
	return message_of(arena, MESSAGE_GATE_AT_TIP, message_integer(newer),
			  message_text(short_names_name(arena, &names, first->run)), verdict,
			  message_part(more));
}

int gate_command_note_tip(struct cli *cli, const struct gate_request *request,
			  const struct gate_reference *reference, struct gate_result *result,
			  struct error *err)
{
	struct gate_result at_tip;
	char newest[65];
	size_t newer;
	if (!reference->branched || strcmp(reference->oid, reference->tip) == 0)
		return 0;
	if (count_newer(cli, reference, newest, &newer, err) < 0)
		return -1;
	if (!newer)
		return 0;
	if (judge_at(cli, request, newest, result->input, &at_tip, err) < 0)
		return -1;
	result->at_tip = sentence(&cli->arena, result, &at_tip, newer);
	if (result->at_tip)
		result->reason =
			message_of(&cli->arena, MESSAGE_REASON_AND, message_part(result->reason),
				   message_part(result->at_tip));
	return 0;
}
