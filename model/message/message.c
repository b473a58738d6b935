/* Messages: codes with values. */
#include "model/message/message.h"

static const struct {
	const char *name;
	const char *values; /* "mbu, tensor" */
} codes[MESSAGE_COUNT] = {
	[MESSAGE_NONE] = {"NONE", ""},
#define TERM(ID) [MESSAGE_##ID] = {#ID, ""},
#define MESSAGE(ID, ...) [MESSAGE_##ID] = {#ID, #__VA_ARGS__},
#include "model/message/message.def"
#undef TERM
#undef MESSAGE
};

static const struct message plain[MESSAGE_COUNT] = {
#define TERM(ID) [MESSAGE_##ID] = {MESSAGE_##ID, NULL},
#define MESSAGE(ID, ...)
#include "model/message/message.def"
#undef TERM
#undef MESSAGE
};

const char *message_code_name(enum message_code code)
{
	return codes[code].name;
}

size_t message_arity(enum message_code code)
{
	const char *values = codes[code].values;
	size_t arity = values[0] != '\0';
	for (; *values; values++)
		arity += *values == ',';
	return arity;
}

struct span message_value_name(enum message_code code, size_t index)
{
	struct span rest = span_of(codes[code].values), name = span_cut(&rest, ',');
	for (; index > 0; index--)
		name = span_cut(&rest, ',');
	return span_trim(name);
}

struct message_value message_parts(const struct message *const *parts, size_t count)
{
	return message_value(PARTS, .parts = parts, .count = count);
}

const struct message *message_plain(enum message_code code)
{
	assert(message_arity(code) == 0);
	return &plain[code];
}

const struct message *message_new(struct arena *arena, enum message_code code,
				  const struct message_value *values, size_t count)
{
	assert(message_arity(code) == count);
	struct message *message = arena_new(arena, struct message);
	struct message_value *copy = arena_array(arena, count, sizeof *copy);
	memcpy(copy, values, count * sizeof *copy);
	for (size_t i = 0; i < count; i++)
		if (copy[i].kind == MESSAGE_TEXT) {
			assert(copy[i].text);
			copy[i].text = arena_strdup(arena, copy[i].text);
		}
	message->code = code;
	message->values = copy;
	return message;
}

static struct message_value value_copy(struct arena *arena, const struct message_value *value)
{
	struct message_value copy = *value;
	copy.part = message_copy(arena, value->part);
	if (value->count) {
		const struct message **parts = arena_array(arena, value->count, sizeof *parts);
		for (size_t i = 0; i < value->count; i++)
			parts[i] = message_copy(arena, value->parts[i]);
		copy.parts = parts;
	}
	return copy;
}

const struct message *message_copy(struct arena *arena, const struct message *message)
{
	size_t arity = message ? message_arity(message->code) : 0;
	if (arity == 0)
		return message ? message_plain(message->code) : NULL;
	struct message_value *values = arena_array(arena, arity, sizeof *values);
	for (size_t i = 0; i < arity; i++)
		values[i] = value_copy(arena, &message->values[i]);
	return message_new(arena, message->code, values, arity);
}
