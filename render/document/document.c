/* Members of documents. */
#include "render/document/document.h"

#include <time.h>

#include "render/vocabulary/vocabulary.h"

const char *document_time(struct arena *arena, int64_t unix_seconds)
{
	time_t seconds = (time_t)unix_seconds;
	struct tm tm;
	char text[40];
	if (!gmtime_r(&seconds, &tm) || !strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &tm))
		return NULL;
	return arena_strdup(arena, text);
}

const char *document_day(struct arena *arena, int64_t unix_seconds)
{
	const char *time = document_time(arena, unix_seconds);
	return time ? arena_prefix(arena, time, 10) : NULL;
}

struct json *document_quantity(struct arena *arena, struct json *parent, const char *name,
			       double number, enum unit unit)
{
	const struct document_member members[] = {
		{KEY(value), NUMBER(number)},
		{KEY(unit), UNIT(unit)},
		{KEY(text), AMOUNT(number, unit)},
	};
	return document_fill(
		arena, name ? json_set_object(arena, parent, name) : json_add_object(arena, parent),
		members);
}

static void fill_commit(struct arena *arena, struct json *object, const struct revision *revision,
			bool dirty)
{
	const struct document_member members[] = {
		{KEY(oid), TEXT(revision->oid)},
		{KEY(short), TEXT(arena_prefix(arena, revision->oid, 10))},
		{KEY(subject), TEXT(revision->subject)},
		{KEY(time), TEXT(document_time(arena, revision->time))},
		{KEY(dirty), BOOL(dirty)},
	};
	const struct document_member of_file[] = {
		{KEY(file), TEXT(revision->file)},
		{KEY(short), TEXT(revision->file)},
	};
	if (revision->file)
		document_fill(arena, object, of_file);
	else
		document_fill(arena, object, members);
}

void document_commit(struct arena *arena, struct json *parent, const char *name,
		     const struct revision *revision, bool dirty)
{
	if (revision)
		fill_commit(arena, json_set_object(arena, parent, name), revision, dirty);
}

void document_add_commit(struct arena *arena, struct json *list, const struct revision *revision,
			 bool dirty)
{
	fill_commit(arena, json_add_object(arena, list), revision, dirty);
}

const char *document_interval(struct arena *arena, double low, double high)
{
	return arena_printf(arena, vocabulary_format("%+.1f to %+.1f %%"), low * 100, high * 100);
}

const char *document_effect(struct arena *arena, double effect, bool relative, enum unit unit)
{
	return relative || !isfinite(effect) ? quantity_change_text(arena, effect)
					     : quantity_signed_text(arena, effect, unit);
}

static bool is_unknown(const struct document_member *member)
{
	switch (member->kind) {
	case DOCUMENT_TEXT:
		return !member->text;
	case DOCUMENT_TERM:
		return !member->term;
	case DOCUMENT_MESSAGE:
		return !member->message;
	case DOCUMENT_COMMIT:
		return !member->commit;
	case DOCUMENT_BOOL:
		return !member->truth;
	case DOCUMENT_UNIT:
		return false;
	case DOCUMENT_MESSAGES:
	case DOCUMENT_OBJECT:
		return member->count == 0;
	case DOCUMENT_AGE:
		return !(member->number >= 0);
	default:
		return isnan(member->number);
	}
}

/* The member as a text; NULL if it is unknown, except where the text says "unknown" itself. */
static const char *text_of(struct arena *arena, const struct document_member *member)
{
	switch (member->kind) {
	case DOCUMENT_PERCENT:
		return is_unknown(member) ? NULL : quantity_percent_text(arena, member->number);
	case DOCUMENT_CHANGE:
		return isfinite(member->number) ? quantity_change_text(arena, member->number)
						: vocabulary_label("unknown");
	case DOCUMENT_INTERVAL:
		return is_unknown(member) ? NULL
					  : document_interval(arena, member->number, member->high);
	case DOCUMENT_EFFECT:
		return document_effect(arena, member->number, member->relative, member->unit);
	case DOCUMENT_AGE:
		return member->number >= 0 ? quantity_count_text(arena, (size_t)member->number,
								 vocabulary_format("commit back"),
								 vocabulary_format("commits back"))
					   : NULL;
	case DOCUMENT_UNIT:
		return quantity_unit_symbol(member->unit);
	case DOCUMENT_AMOUNT:
		return isnan(member->number) ? vocabulary_label("unknown")
					     : quantity_text(arena, member->number, member->unit);
	case DOCUMENT_TERM:
		return vocabulary_term(vocabulary_spoken(), member->term);
	case DOCUMENT_MESSAGE:
		return vocabulary_say(arena, member->message);
	default:
		assert(member->kind == DOCUMENT_TEXT);
		return member->text;
	}
}

static void add_messages(struct arena *arena, struct json *list,
			 const struct document_member *member)
{
	for (size_t i = 0; i < member->count; i++)
		json_add_text(arena, list, vocabulary_say(arena, member->messages[i]));
}

static void append(struct arena *arena, struct json *object, const struct document_member *member)
{
	const char *name = member->name;
	assert(name);
	switch (member->kind) {
	case DOCUMENT_NUMBER:
		json_set_number(arena, object, name, member->number);
		break;
	case DOCUMENT_BOOL:
		json_set_bool(arena, object, name, member->truth);
		break;
	case DOCUMENT_MESSAGES:
		add_messages(arena, json_set_array(arena, object, name), member);
		break;
	case DOCUMENT_QUANTITY:
		document_quantity(arena, object, name, member->number, member->unit);
		break;
	case DOCUMENT_COMMIT:
		document_commit(arena, object, name, member->commit, member->dirty);
		break;
	case DOCUMENT_OBJECT:
		document_append(arena, json_set_object(arena, object, name), member->members,
				member->count);
		break;
	default:
		json_set_text(arena, object, name, text_of(arena, member));
	}
}

struct json *document_begin(struct arena *arena, const char *schema)
{
	struct json *document = json_object(arena);
	json_set_text(arena, document, KEY(schema), schema);
	return document;
}

struct json *document_append(struct arena *arena, struct json *object,
			     const struct document_member *members, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!members[i].optional || !is_unknown(&members[i]))
			append(arena, object, &members[i]);
	return object;
}
