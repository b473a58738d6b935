/* Leaderboards as text and as JSON. */
#include "render/compare/trials/leaderboard.h"

#include "base/text/text.h"
#include "render/document/document.h"
#include "render/document/key.h"
#include "render/markup/markup.h"

static const char *state_name(enum candidate_state state)
{
	static const char *const names[] = {"incorrect", "impossible", "unverified",
					    "checked",   "correct",    "confirmed"};
	return names[state];
}

static const struct leaderboard_row *row_of(const struct leaderboard *board, const char *name)
{
	size_t i = 0;
	while (strcmp(board->rows[i].name, name) != 0) {
		i++;
		assert(i < board->count);
	}
	return &board->rows[i];
}

/* --- text --- */

static const char *times_text(struct arena *arena, double ratio)
{
	return isnan(ratio) ? "unknown" : arena_printf(arena, "%.4gx", ratio);
}

static const char *interval_text(struct arena *arena, const struct candidate *candidate)
{
	return isnan(candidate->low)
		       ? "unknown"
		       : arena_printf(arena, "%s to %s", times_text(arena, candidate->low),
				      times_text(arena, candidate->high));
}

static void add_head(struct arena *arena, struct strbuf *lines, const struct leaderboard *board)
{
	const struct candidate *best = candidates_best(board->candidates, board->count);
	strbuf_addf(lines, "%s: ", board->name);
	if (best)
		strbuf_addf(lines, "%s is %s as fast (%s), confirmed", best->name,
			    times_text(arena, best->speedup), interval_text(arena, best));
	else
		strbuf_addstr(lines, "no confirmed improvement");
	strbuf_addch(lines, '\n');
	if (board->base)
		strbuf_addf(
			lines, "base %.8s: %s, %s; ", board->base,
			quantity_text(arena, board->base_value, metric_info(board->metric)->unit),
			quantity_count_text(arena, board->base_numbers, "measurement",
					    "measurements"));
	else
		strbuf_addstr(lines, "nothing to compare with: measure without "
				     "--candidate first; ");
	strbuf_addf(lines, "%s, for all of which together the intervals hold\n",
		    quantity_count_text(arena, board->count, "candidate", "candidates"));
}

static void add_rows(struct arena *arena, struct strbuf *sb, const struct leaderboard *board,
		     size_t width)
{
	struct md_table table =
		md_table_of(arena, width, ">rank|candidate|>speed-up|>95 % interval");
	md_table_column(&table, metric_info(board->metric)->key, MD_ALIGN_RIGHT);
	md_table_optional(&table, "MFU", MD_ALIGN_RIGHT);
	md_table_columns(&table, "state|>sessions|run|parent");
	for (size_t i = 0; i < board->count; i++) {
		const struct candidate *candidate = &board->candidates[i];
		const struct leaderboard_row *row = row_of(board, candidate->name);
		md_table_row(&table,
			     candidate->rank ? arena_printf(arena, "%zu", candidate->rank) : "--",
			     candidate->name, times_text(arena, candidate->speedup),
			     interval_text(arena, candidate),
			     quantity_text(arena, row->value, metric_info(board->metric)->unit),
			     quantity_text(arena, row->mfu, UNIT_FRACTION),
			     state_name(candidate->state),
			     arena_printf(arena, "%zu", row->sessions),
			     arena_printf(arena, "%.8s", row->run),
			     row->parent ? arena_printf(arena, "%.8s", row->parent) : "--");
	}
	md_table_plain(&table, sb);
}

const char *render_candidates_text(struct arena *arena, const struct leaderboard *boards,
				   size_t count, size_t width)
{
	struct strbuf sb = {0};
	for (size_t i = 0; i < count; i++) {
		struct strbuf lines = {0};
		if (i)
			strbuf_addch(&sb, '\n');
		add_head(arena, &lines, &boards[i]);
		fill_lines(&sb, strbuf_text(&lines), width);
		strbuf_free(&lines);
		strbuf_addch(&sb, '\n');
		add_rows(arena, &sb, &boards[i], width);
	}
	return strbuf_into(&sb, arena);
}

/* --- JSON --- */

static void add_candidate(struct arena *arena, struct json *list, const struct leaderboard *board,
			  const struct candidate *candidate)
{
	const struct leaderboard_row *row = row_of(board, candidate->name);
	struct json *object = json_add_object(arena, list);
	json_set_text(arena, object, KEY(name), candidate->name);
	json_set_number(arena, object, KEY(rank), candidate->rank ? (double)candidate->rank : NAN);
	json_set_text(arena, object, KEY(state), state_name(candidate->state));
	json_set_number(arena, object, KEY(speedup), candidate->speedup);
	json_set_number(arena, object, KEY(speedup_low), candidate->low);
	json_set_number(arena, object, KEY(speedup_high), candidate->high);
	json_set_number(arena, object, KEY(value), row->value);
	json_set_number(arena, object, KEY(mfu), row->mfu);
	json_set_number(arena, object, KEY(numbers), (double)candidate->count);
	json_set_number(arena, object, KEY(sessions), (double)row->sessions);
	json_set_text(arena, object, KEY(run), row->run);
	json_set_text(arena, object, KEY(parent), row->parent);
}

static void add_board(struct arena *arena, struct json *list, const struct leaderboard *board)
{
	struct json *object = json_add_object(arena, list);
	const struct candidate *best = candidates_best(board->candidates, board->count);
	json_set_text(arena, object, KEY(series), board->key);
	json_set_text(arena, object, KEY(name), board->name);
	json_set_text(arena, object, KEY(metric), metric_info(board->metric)->key);
	json_set_text(arena, object, KEY(unit),
		      quantity_unit_symbol(metric_info(board->metric)->unit));
	json_set_text(arena, object, KEY(better), board->lower_is_better ? "lower" : "higher");
	struct json *base = json_set_object(arena, object, KEY(base));
	json_set_text(arena, base, KEY(run), board->base);
	json_set_number(arena, base, KEY(value), board->base_value);
	json_set_number(arena, base, KEY(numbers), (double)board->base_numbers);
	json_set_number(arena, object, KEY(tried), (double)board->count);
	json_set_text(arena, object, KEY(best), best ? best->name : NULL);
	struct json *all = json_set_array(arena, object, KEY(candidates));
	for (size_t i = 0; i < board->count; i++)
		add_candidate(arena, all, board, &board->candidates[i]);
}

struct json *render_candidates_json(struct arena *arena, const struct leaderboard *boards,
				    size_t count)
{
	struct json *document = document_begin(arena, SCHEMA(candidates));
	struct json *list = json_set_array(arena, document, KEY(boards));
	for (size_t i = 0; i < count; i++)
		add_board(arena, list, &boards[i]);
	return document;
}
