/* The result of a bisection as JSON (docs/user/bisect.md). */

#include "render/document/key.h"
#include "base/text/text.h"
#include "render/bisect/internal.h"

static void set_revision(struct arena *arena, struct json *object, const struct revision *revision)
{
	json_set_text(arena, object, KEY(oid), revision->oid);
	json_set_text(arena, object, KEY(subject), revision->subject);
	json_set_text(arena, object, "authored", revision->authored);
}

static const char *oid_of(const struct bisect_case *c, size_t x)
{
	return x == bisect_none ? NULL : c->lineage.items[x].revision.oid;
}

static void add_commit(struct arena *arena, struct json *list, const struct bisect_case *c,
		       size_t x)
{
	struct json *object = json_add_object(arena, list);
	double middle = render_bisect_middle_of(c, x);
	set_revision(arena, object, &c->lineage.items[x].revision);
	json_set_bool(arena, object, KEY(side), c->lineage.items[x].side);
	json_set_number(arena, object, KEY(cause), c->bisect->cause[x]);
	json_set_number(arena, object, "at_new_level", c->bisect->moved[x]);
	json_set_number(arena, object, "sessions", (double)c->commits[x].session_count);
	json_set_number(arena, object, KEY(value),
			isnan(middle) ? NAN : bisect_number(&c->change, middle));
	json_set_bool(arena, object, "at_neither_level", c->bisect->stray[x]);
	json_set_text(arena, object, "cannot",
		      c->same[x] ? render_bisect_same_text(c->same[x]) : NULL);
}

static void add_change(struct arena *arena, struct json *document, const struct bisect_case *c)
{
	const struct bisect_change *change = &c->change;
	const struct location_interval *b = &change->borders;
	json_set_text(arena, document, KEY(series), change->history->series);
	json_set_text(arena, document, KEY(name), c->name);
	json_set_text(arena, document, KEY(metric), metric_info(change->metric)->key);
	json_set_text(arena, document, KEY(unit),
		      quantity_unit_symbol(metric_info(change->metric)->unit));
	json_set_bool(arena, document, KEY(worse), change->worse);
	json_set_bool(arena, document, KEY(relative), change->relative);
	json_set_number(arena, document, KEY(before), bisect_number(change, b->before));
	json_set_number(arena, document, KEY(after), bisect_number(change, b->after));
	json_set_number(arena, document, KEY(commits_before), (double)b->count_before);
	json_set_number(arena, document, KEY(commits_after), (double)b->count_after);
	json_set_number(arena, document, KEY(effect), change->effect);
	json_set_number(arena, document, KEY(effect_low), change->low);
	json_set_number(arena, document, KEY(effect_high), change->high);
	json_set_number(arena, document, KEY(noise), change->noise);
	json_set_number(arena, document, "noise_shared_by_sessions", c->bisect->build);
	set_revision(arena, json_set_object(arena, document, "good"), change->good);
	set_revision(arena, json_set_object(arena, document, KEY(bad)), change->bad);
	struct json *others = json_set_array(arena, document, "also_worse");
	for (size_t i = 0; i < change->other_count; i++)
		json_add_text(arena, others, change->others[i]);
}

struct json *render_bisect_json(struct arena *arena, const struct bisect_case *c)
{
	struct json *document = json_object(arena);
	add_change(arena, document, c);
	json_set_number(arena, document, "commits_without_data", (double)c->without_data);
	struct json *commits = json_set_array(arena, document, KEY(commits));
	for (size_t x = 0; x < c->lineage.count; x++)
		add_commit(arena, commits, c, x);
	json_set_text(arena, document, "identical",
		      c->identical ? render_bisect_same_text(c->identical) : NULL);
	json_set_bool(arena, document, KEY(decided), c->decided);
	json_set_text(arena, document, KEY(cause), c->decided ? oid_of(c, c->bisect->best) : NULL);
	json_set_text(arena, document, "next", oid_of(c, c->next));
	bool more = c->next != bisect_none;
	json_set_text(arena, document, "next_if_old",
		      more ? oid_of(c, bisect_next_after(arena, c->bisect, c->next, false)) : NULL);
	json_set_text(arena, document, "next_if_new",
		      more ? oid_of(c, bisect_next_after(arena, c->bisect, c->next, true)) : NULL);
	json_set_number(arena, document, "error", c->error);
	json_set_number(arena, document, "sessions_for_error",
			c->sessions ? (double)c->sessions : NAN);
	json_set_number(arena, document, "certainty", bisect_certainty);
	json_set_number(arena, document, "expected_measurements", c->forecast);
	return document;
}

void render_bisect_add_step(struct arena *arena, struct json *document,
			    const struct bisect_step *step)
{
	struct json *object = json_set_object(arena, document, "step");
	json_set_text(arena, object, KEY(oid), step->oid);
	json_set_text(arena, object, KEY(verdict), step->verdict);
	json_set_number(arena, object, "at_new_level", step->moved);
	json_set_number(arena, object, "sessions", (double)step->sessions);
}
