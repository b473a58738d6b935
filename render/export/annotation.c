/* Converts comparisons to findings. */
#include "render/export/annotation.h"

#include "render/document/key.h"

#include "base/hash/hash.h"
#include "base/base.h"
#include "base/text/text.h"
#include "render/markup/markup.h"

const char annotation_default_path[] = ".rooflog/config";

/* Missing and incomparable results are as severe as a regression: both need action. */
static const struct annotation_level levels[] = {
	{EXIT_REGRESSION, "error", "major", "error", "failure", "red"},
	{EXIT_MISSING, "error", "major", "error", "error", "orange"},
	{EXIT_UNDECIDED, "warning", "minor", "warning", "error", "yellow"},
	{EXIT_STALE, "warning", "minor", "warning", "error", "yellow"},
	{EXIT_NO_BASELINE, "note", "info", "notice", "error", "lightgrey"},
};

const struct annotation_level *annotation_level_of(enum exit_status status)
{
	if (status == EXIT_PASS)
		return NULL;
	for (size_t i = 0; i < sizeof levels / sizeof *levels; i++)
		if (levels[i].status == status)
			return &levels[i];
	return &levels[0];
}

static enum exit_status status_of(double number)
{
	return number >= 0 && number <= 255 ? (enum exit_status)number : EXIT_REGRESSION;
}

enum exit_status annotation_status(const struct json *object)
{
	return status_of(json_number(object, KEY(exit_status), 0));
}

enum exit_status annotation_code(const struct json *gate)
{
	enum exit_status code = status_of(json_number(gate, KEY(exit_code), 0));
	return code == EXIT_PASS ? annotation_status(gate) : code;
}

const char *annotation_clean(struct arena *arena, const char *text)
{
	struct strbuf sb = {0};
	terminal_text(&sb, span_of(text));
	return strbuf_into(&sb, arena);
}

static const char *name_of(struct arena *arena, const struct json *comparison)
{
	const char *policy = json_text(comparison, KEY(policy), "default");
	const char *series = json_text(comparison, KEY(series), "unknown");
	const char *metric = json_text(comparison, KEY(metric), "unknown");
	if (strcmp(policy, "default") == 0)
		return arena_printf(arena, "%s: %s", series, metric);
	return arena_printf(arena, "%s: %s (%s)", series, metric, policy);
}

/* The series as people read it; absent or unknown parts are left out. */
static const char *label_of(struct arena *arena, const struct json *comparison)
{
	static const struct {
		const char *member, *before;
	} parts[] = {{"variant", " "}, {"params_text", " "}, {"dtype", ", "}, {"device", ", "}};
	struct strbuf sb = {0};
	strbuf_addstr(&sb, json_text(comparison, KEY(kernel), "unknown"));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
		const char *text = json_text(comparison, parts[i].member, "");
		if (text[0])
			strbuf_addf(&sb, "%s%s", parts[i].before, text);
	}
	return annotation_clean(arena, strbuf_into(&sb, arena));
}

static bool is_known(const struct json *quantity)
{
	const struct json *value = json_get(quantity, KEY(value));
	return value && value->type == JSON_NUMBER;
}

/* "Total time 12.06 us, was 10.13 us (+19.10 %): beyond noise. DMA active +2.1 us." */
static const char *message_of(struct arena *arena, const struct json *comparison)
{
	const struct json *candidate = json_get(comparison, KEY(candidate));
	const struct json *baseline = json_get(comparison, KEY(baseline));
	const struct json *change = json_get(comparison, KEY(change));
	bool limit = strcmp(json_text(comparison, KEY(method), ""), "limit") == 0;
	const char *why = json_text(json_get(comparison, KEY(why)), KEY(text), NULL);
	const char *reason = json_text(comparison, KEY(reason), NULL);
	struct strbuf sb = {0};
	strbuf_addstr(&sb, json_text(comparison, KEY(title), "unknown metric"));
	if (is_known(candidate))
		strbuf_addf(&sb, " %s", json_text(candidate, KEY(text), ""));
	if (is_known(baseline))
		strbuf_addf(&sb, "%s%s %s", is_known(candidate) ? "," : "",
			    limit ? " limit" : " was", json_text(baseline, KEY(text), ""));
	if (change && change->type == JSON_NUMBER)
		strbuf_addf(&sb, " (%s)", json_text(comparison, KEY(change_text), ""));
	if (reason)
		strbuf_addf(&sb, ": %s", reason);
	if (why)
		strbuf_addf(&sb, ". Cause: %s", why);
	return annotation_clean(arena, strbuf_into(&sb, arena));
}

/* Whether the path is relative, stays inside the repository ("..", drive letters) and all of it
 * shows. */
static bool is_in_repository(const char *path)
{
	struct span rest = span_of(path);
	while (rest.ptr) {
		struct span name = span_cut(&rest, '/');
		if (!name.len || span_is(name, "..") || span_is(name, "."))
			return false;
	}
	struct strbuf shown = {0};
	shown_text(&shown, span_of(path), "");
	bool same = strcmp(strbuf_text(&shown), path) == 0;
	strbuf_free(&shown);
	return same && !strpbrk(path, ":\\");
}

/* Sets path and line from "kernels/mlp.py:33" if it names a file of the repository. */
static bool location_of(struct arena *arena, const char *text, struct annotation *annotation)
{
	const char *colon = strrchr(text, ':');
	char *end;
	if (!colon || colon == text || colon[1] < '1' || colon[1] > '9')
		return false;
	long line = strtol(colon + 1, &end, 10);
	const char *path = arena_strndup(arena, text, (size_t)(colon - text));
	if (*end || line > 1000000000 || !is_in_repository(path))
		return false;
	annotation->path = path;
	annotation->line = (int)line;
	return true;
}

static void find_location(struct arena *arena, const struct json *comparison,
			  struct annotation *annotation)
{
	const struct json *why = json_get(comparison, KEY(why));
	annotation->path = annotation_default_path;
	annotation->line = 1;
	for (const struct json *part = json_first(why, KEY(parts)); part; part = part->next)
		if (strcmp(json_text(part, KEY(kind), ""), "source") == 0 &&
		    location_of(arena, json_text(part, KEY(key), ""), annotation))
			return;
}

static void set_fingerprint(struct annotation *annotation)
{
	struct sha256 hash;
	sha256_init(&hash);
	sha256_add(&hash, annotation->name, strlen(annotation->name));
	sha256_hex(&hash, annotation->fingerprint);
}

void annotation_init(struct arena *arena, const struct json *comparison,
		     struct annotation *annotation)
{
	*annotation = (struct annotation){
		.comparison = comparison,
		.verdict = annotation_clean(arena, json_text(comparison, KEY(verdict), "unknown")),
		.word = annotation_clean(arena,
					 json_text(comparison, KEY(verdict_text), "unknown")),
		.name = name_of(arena, comparison),
		.label = label_of(arena, comparison),
		.message = message_of(arena, comparison),
		.level = annotation_level_of(annotation_status(comparison)),
	};
	find_location(arena, comparison, annotation);
	set_fingerprint(annotation);
}

bool annotation_of_gate(struct arena *arena, const struct json *gate, struct annotation *annotation)
{
	bool whole = annotation_status(gate) != EXIT_PASS;
	struct json_walk walk = json_walk_of(json_get(gate, KEY(comparisons)));
	while (whole && json_walk_next(&walk))
		whole = annotation_status(walk.child) == EXIT_PASS;
	json_walk_end(&walk);
	if (!whole)
		return false;
	const char *verdict = json_text(gate, KEY(verdict), "unknown");
	const char *word = json_text(gate, KEY(word), "unknown");
	const char *text = arena_printf(arena, "%s: %s", word,
					json_text(gate, KEY(reason), "no reason given"));
	*annotation = (struct annotation){.verdict = annotation_clean(arena, verdict),
					  .word = annotation_clean(arena, word),
					  .name = "gate",
					  .label = "the gate",
					  .message = annotation_clean(arena, text),
					  .path = annotation_default_path,
					  .line = 1,
					  .level = annotation_level_of(annotation_code(gate))};
	set_fingerprint(annotation);
	return true;
}

const struct annotation *annotations_of(struct arena *arena, const struct json *gate, size_t *count)
{
	struct annotation *items = NULL, whole;
	size_t capacity = 0;
	*count = 0;
	if (annotation_of_gate(arena, gate, &whole))
		*arena_next(arena, items, *count, capacity) = whole;
	struct json_walk walk = json_walk_of(json_get(gate, KEY(comparisons)));
	while (json_walk_next(&walk)) {
		if (annotation_status(walk.child) == EXIT_PASS)
			continue;
		json_walk_keep(&walk, arena);
		annotation_init(arena, walk.child, arena_next(arena, items, *count, capacity));
	}
	return items;
}
