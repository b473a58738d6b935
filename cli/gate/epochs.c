/* Series that go on in another epoch: the measurement changed, so they are neither missing nor new
 * without a reason (model/pattern/scenario.h). */
#include "cli/gate/internal.h"
#include "model/pattern/scenario.h"

struct member {
	const char *key; /* without the epoch */
	size_t rank;
	struct gate_series *series;
};

static int by_key_and_rank(const void *a, const void *b)
{
	const struct member *x = a, *y = b;
	int order = strcmp(x->key, y->key);
	return order ? order : (x->rank > y->rank) - (x->rank < y->rank);
}

static struct message_value epoch_text(const struct run *run)
{
	const char *name = run_param(run, epoch_param);
	return name ? message_text(name) : message_term(MESSAGE_NO_EPOCH);
}

/* `now` is measured, and `was` of an earlier epoch is not. A change can't begin an epoch, or it
 * could leave a slow series out of its comparison. */
static void follow(struct arena *arena, const struct gate_input *input, const struct member *was,
		   struct gate_series *now)
{
	if (now->history || now->epoch || now->incomparable)
		return;
	if (!input->unmerged)
		now->epoch = message_of(arena, MESSAGE_EPOCH_BEGINS, epoch_text(now->run),
					epoch_text(was->series->run));
	else
		now->incomparable = message_of(arena, MESSAGE_OTHER_CONDITION,
					       message_term(MESSAGE_CONDITION_EPOCH),
					       epoch_text(was->series->run), epoch_text(now->run));
}

/* Marks the series of an earlier epoch than the latest measured one as gone. */
static void follow_all(struct arena *arena, const struct gate_input *input,
		       const struct member *members, size_t count, bool *gone,
		       const struct gate_series *first)
{
	size_t latest = count;
	while (latest > 0 && !members[latest - 1].series->candidate.count)
		latest--;
	for (size_t i = latest; i-- > 0;) {
		if (members[i].series->candidate.count ||
		    members[i].rank == members[latest - 1].rank)
			continue;
		follow(arena, input, &members[i], members[latest - 1].series);
		gone[members[i].series - first] = true;
	}
}

void gate_command_join_epochs(struct cli *cli, const struct gate_input *input,
			      struct gate_series_list *list)
{
	const struct scenario_list *epochs = &cli->settings.epochs;
	struct arena *arena = &cli->arena;
	size_t kept = 0;
	if (!epochs->count)
		return;
	struct member *members = arena_array(arena, list->count + 1, sizeof *members);
	bool *gone = arena_array(arena, list->count + 1, sizeof *gone);
	memset(gone, 0, (list->count + 1) * sizeof *gone);
	for (size_t i = 0; i < list->count; i++) {
		const struct run *run = list->items[i].run;
		members[i] = (struct member){epoch_series_key(arena, epochs, run),
					     epoch_rank(epochs, run), &list->items[i]};
	}
	array_sort(members, list->count, sizeof *members, by_key_and_rank);
	for (size_t i = 0, same; i < list->count; i += same) {
		same = 1;
		while (i + same < list->count && strcmp(members[i + same].key, members[i].key) == 0)
			same++;
		follow_all(arena, input, members + i, same, gone, list->items);
	}
	for (size_t i = 0; i < list->count; i++)
		if (!gone[i])
			list->items[kept++] = list->items[i];
	list->count = kept;
}
