/* Fills the templates of messages. */
#include "render/vocabulary/vocabulary.h"

/* Each code must have exactly one row, with both languages. */
enum {
#define WORDS(ID, ENGLISH, CHINESE) ROW_##ID,
#include "render/vocabulary/vocabulary.def"
#undef WORDS
	ROW_COUNT
};
_Static_assert(ROW_COUNT == MESSAGE_COUNT - 1, "each message has words");
#define WORDS(ID, ENGLISH, CHINESE)                                                                \
	_Static_assert(sizeof(ENGLISH) > 1 && sizeof(CHINESE) > 1, #ID " lacks a language");
#include "render/vocabulary/vocabulary.def"
#undef WORDS

static const char *const templates[MESSAGE_COUNT][LANGUAGE_COUNT] = {
	[MESSAGE_NONE] = {"", ""},
#define WORDS(ID, ENGLISH, CHINESE) [MESSAGE_##ID] = {ENGLISH, CHINESE},
#include "render/vocabulary/vocabulary.def"
#undef WORDS
};

static const char *const briefs[MESSAGE_COUNT][LANGUAGE_COUNT] = {
#define BRIEF(ID, ENGLISH, CHINESE) [MESSAGE_##ID] = {ENGLISH, CHINESE},
#include "render/vocabulary/brief.def"
#undef BRIEF
};

static bool is_brief(enum language language)
{
	return language == LANGUAGE_BRIEF || language == LANGUAGE_BRIEF_CHINESE;
}

/* LANGUAGE_ENGLISH or LANGUAGE_CHINESE. */
static enum language tongue_of(enum language language)
{
	return language == LANGUAGE_CHINESE || language == LANGUAGE_BRIEF_CHINESE
		       ? LANGUAGE_CHINESE
		       : LANGUAGE_ENGLISH;
}

static bool is_chinese(enum language language)
{
	return tongue_of(language) == LANGUAGE_CHINESE;
}

static const char *template_of(enum language language, enum message_code code)
{
	const char *brief = is_brief(language) ? briefs[code][tongue_of(language)] : NULL;
	return brief ? brief : templates[code][tongue_of(language)];
}

/* --- numbers in the form that the templates print --- */

/* Changes by at least this factor are printed as a factor. */
static const double smallest_factor = 2;

/* Chinese has no blank before the sign of percent. */
static const char *percent_of(enum language language)
{
	return is_chinese(language) ? "%" : " %";
}

/* As quantity_add() or quantity_add_short(), with the language's word for an unknown number. */
static void add_quantity_by(struct strbuf *out, enum language language, double number,
			    enum unit unit, void (*add)(struct strbuf *, double, enum unit))
{
	if (is_chinese(language) && isnan(number)) {
		strbuf_addstr(out, "未知");
		return;
	}
	if (is_chinese(language) && isinf(number)) {
		strbuf_addstr(out, number > 0 ? "无穷大" : "负无穷大");
		return;
	}
	add(out, number, unit);
	if (is_chinese(language) && span_ends(strbuf_span(out), " %")) {
		strbuf_truncate(out, out->len - strlen(" %"));
		strbuf_addstr(out, percent_of(language));
	}
}

static void add_quantity(struct strbuf *out, enum language language, double number, enum unit unit)
{
	add_quantity_by(out, language, number, unit, quantity_add);
}

/* "2.900 us" becomes "2.9 us". */
static void drop_zeros(struct strbuf *sb)
{
	const char *dot = strchr(strbuf_text(sb), '.');
	if (!dot)
		return;
	struct strbuf shorter = {0};
	size_t end = (size_t)(dot - sb->buf) + 1;
	while (end < sb->len && sb->buf[end] >= '0' && sb->buf[end] <= '9')
		end++;
	size_t last = end;
	while (sb->buf[last - 1] == '0')
		last--;
	if (sb->buf[last - 1] == '.')
		last--;
	strbuf_add(&shorter, sb->buf, last);
	strbuf_add(&shorter, sb->buf + end, sb->len - end);
	strbuf_free(sb);
	*sb = shorter;
}

/* The number rounded to three significant digits. */
static double rounded(double number, enum unit unit)
{
	if (number == 0 || !isfinite(number) || unit == UNIT_COUNT)
		return number;
	double shift = pow(10, 2 - floor(log10(fabs(number))));
	return round(number * shift) / shift;
}

/* The number with at most three significant digits. The caller frees it. */
static struct strbuf short_of(enum language language, double number, enum unit unit)
{
	struct strbuf sb = {0};
	add_quantity(&sb, language, rounded(number, unit), unit);
	drop_zeros(&sb);
	return sb;
}

/* "44.9 -> 702 FLOP/B": a shared unit is printed once. */
static void add_sides(struct strbuf *out, enum language language, double before, double after,
		      enum unit unit)
{
	if (is_chinese(language) &&
	    (unit == UNIT_FRACTION || !isfinite(before) || !isfinite(after))) {
		add_quantity_by(out, language, before, unit, quantity_add_short);
		strbuf_addstr(out, " -> ");
		add_quantity_by(out, language, after, unit, quantity_add_short);
		return;
	}
	quantity_add_sides(out, before, after, unit);
}

static void add_factor(struct strbuf *out, enum language language, double factor, bool more)
{
	int decimals = factor < 9.95 ? 1 : 0;
	if (is_chinese(language))
		strbuf_addf(out, more ? "增至 %.*f 倍" : "减至 1/%.*f", decimals, factor);
	else
		strbuf_addf(out, "%.*fx %s", decimals, factor, more ? "more" : "less");
}

/* "-12 %", "4.0x less", "0 B -> 1.2 MB": both values with as few digits as show the change. */
static void add_change(struct strbuf *out, enum language language, double before, double after,
		       enum unit unit)
{
	double change = after / before - 1;
	if (unit == UNIT_FRACTION || unit == UNIT_COUNT || !(before > 0) || !(after > 0))
		add_sides(out, language, before, after, unit);
	else if (change >= smallest_factor - 1)
		add_factor(out, language, after / before, true);
	else if (before / after >= smallest_factor)
		add_factor(out, language, before / after, false);
	else
		strbuf_addf(out, "%s%.*f%s", change < 0 ? "-" : "+", fabs(change) < 0.0995 ? 1 : 0,
			    fabs(change) * 100, percent_of(language));
}

/* "+2.9 us", "-12 points" */
static void add_difference(struct strbuf *out, enum language language, double difference,
			   enum unit unit)
{
	const char *sign = difference < 0 ? "-" : "+";
	double points = fabs(difference) * 100;
	if (unit == UNIT_FRACTION) {
		/* Two significant digits for small values. */
		int decimals = points >= 9.95 ? 0
			       : points > 0   ? (int)fmin(fmax(1 - floor(log10(points)), 1), 9)
					      : 1;
		strbuf_addf(out, "%s%.*f %s", sign, decimals, points,
			    is_chinese(language) ? "个百分点" : "points");
		return;
	}
	struct strbuf number = short_of(language, fabs(difference), unit);
	strbuf_addf(out, "%s%s", sign, strbuf_text(&number));
	strbuf_free(&number);
}

/* --- templates --- */

/* A placeholder: its name, the character that ends the name, and the rest up to the brace. */
struct placeholder {
	struct span name, rest;
	char sign; /* ':', '?', '*'; 0: none */
};

static struct placeholder placeholder_of(const char *text, size_t len)
{
	size_t name = strcspn(text, ":?*}");
	assert(name <= len); /* each template closes its braces, says unit/check_vocabulary */
	struct placeholder found = {.name = {text, name}};
	if (name < len) {
		found.sign = text[name];
		found.rest = (struct span){text + name + 1, len - name - 1};
	}
	return found;
}

static const struct message_value *value_of(const struct message *message, struct span name)
{
	size_t arity = message_arity(message->code);
	for (size_t i = 0; i < arity; i++)
		if (span_eq(message_value_name(message->code, i), name))
			return &message->values[i];
	assert(!"a template names a value that its message does not have");
	return NULL;
}

/* "+.1%": optional sign, number of digits, conversion. */
static void add_formatted(struct strbuf *out, enum language language, double number,
			  struct span format)
{
	bool sign = span_starts(format, "+");
	const char *dot = memchr(format.ptr, '.', format.len);
	int digits = dot ? dot[1] - '0' : 6;
	if (isnan(number)) {
		add_quantity(out, language, number, UNIT_NONE);
		return;
	}
	assert(format.len > 0);
	switch (format.ptr[format.len - 1]) {
	case '%':
		strbuf_addf(out, sign ? "%+.*f%s" : "%.*f%s", digits, number * 100,
			    percent_of(language));
		break;
	case 'c':
		strbuf_addf(out, "%.*f", digits, number * 100);
		break;
	case 'p':
		strbuf_addf(out, number < 1e-4 ? "%.0e" : "%.4f", number);
		break;
	case 'e':
		strbuf_addf(out, "%.*e", digits, number);
		break;
	case 'g':
		strbuf_addf(out, "%.*g", digits, number);
		break;
	default:
		strbuf_addf(out, "%.*f", digits, number);
	}
}

static void add_parts(struct strbuf *out, enum language language, const struct message_value *value,
		      struct span separator)
{
	for (size_t i = 0; i < value->count; i++) {
		if (i)
			strbuf_addspan(out, separator);
		vocabulary_add(out, language, value->parts[i]);
	}
}

/* One is what is printed as 1, with three digits at most. */
static void add_choice(struct strbuf *out, double number, struct span choices)
{
	struct span one = span_cut(&choices, '|');
	strbuf_addspan(out, fabs(number - 1) < 0.005 ? one : choices);
}

static void add_value(struct strbuf *out, enum language language, const struct message_value *value)
{
	switch (value->kind) {
	case MESSAGE_QUANTITY:
		add_quantity(out, language, value->number, value->unit);
		break;
	case MESSAGE_INTEGER:
		strbuf_addf(out, "%.0f", value->number);
		break;
	case MESSAGE_TEXT:
		strbuf_addstr(out, value->text);
		break;
	case MESSAGE_PART:
		vocabulary_add(out, language, value->part);
		break;
	case MESSAGE_PARTS:
		add_parts(out, language, value, span_of(", "));
		break;
	case MESSAGE_CHANGE:
		add_change(out, language, value->number, value->after, value->unit);
		break;
	case MESSAGE_SIDES:
		add_sides(out, language, value->number, value->after, value->unit);
		break;
	case MESSAGE_VERDICT:
		strbuf_addstr(out, vocabulary_verdict(tongue_of(language), (int)value->number,
						      value->after != 0));
		break;
	case MESSAGE_DIFFERENCE:
		add_difference(out, language, value->number, value->unit);
		break;
	}
}

static void add_without_zeros(struct strbuf *out, enum language language, double number,
			      enum unit unit)
{
	struct strbuf text = {0};
	add_quantity(&text, language, number, unit);
	drop_zeros(&text);
	strbuf_addstr(out, strbuf_text(&text));
	strbuf_free(&text);
}

const char *vocabulary_typeset(struct arena *arena, const char *numbers)
{
	struct strbuf sb = {0};
	for (const char *p = numbers; *p; p++) {
		bool starts = p == numbers || p[-1] == ' ';
		if (starts && p[0] == '-' && p[1] >= '0' && p[1] <= '9') {
			strbuf_addstr(&sb, "−");
		} else if (starts && p[0] == '-' && p[1] == '>') {
			strbuf_addstr(&sb, "→");
			p++;
		} else if (starts && p[0] == 'u' && p[1] == 's') {
			strbuf_addstr(&sb, "µ");
		} else {
			strbuf_addch(&sb, *p);
		}
	}
	return strbuf_into(&sb, arena);
}

/* Whether the value is a number, and no text from outside. */
static bool is_number(const struct message_value *value)
{
	return value->kind == MESSAGE_QUANTITY || value->kind == MESSAGE_CHANGE ||
	       value->kind == MESSAGE_SIDES || value->kind == MESSAGE_DIFFERENCE;
}

static void typeset_from(struct strbuf *out, size_t start)
{
	struct arena scratch = {0};
	const char *text = vocabulary_typeset(&scratch, strbuf_text(out) + start);
	strbuf_truncate(out, start);
	strbuf_addstr(out, text);
	arena_free(&scratch);
}

static void fill(struct strbuf *out, enum language language, const struct message *message,
		 struct placeholder at)
{
	const struct message_value *value = value_of(message, at.name);
	const size_t start = out->len;
	switch (at.sign) {
	case ':':
		if (span_is(at.rest, "s"))
			add_quantity_by(out, language, value->number, value->unit,
					quantity_add_short);
		else if (span_is(at.rest, "t"))
			add_without_zeros(out, language, value->number, value->unit);
		else
			add_formatted(out, language, value->number, at.rest);
		break;
	case '?':
		add_choice(out, value->number, at.rest);
		break;
	case '*':
		add_parts(out, language, value, at.rest);
		break;
	default:
		add_value(out, language, value);
	}
	if (is_brief(language) && is_number(value) && at.sign != '?')
		typeset_from(out, start);
}

/* Whether the text before `end` ends with full-width punctuation. */
static bool ends_wide(const struct strbuf *sb, size_t end)
{
	struct span text = {sb->buf, end};
	return span_ends(text, "，") || span_ends(text, "。") || span_ends(text, "：") ||
	       span_ends(text, "；") || span_ends(text, "）");
}

/* Templates and values are UTF-8, and only Chinese letters and punctuation are not ASCII: a byte
 * above 0x7f belongs to one of them.
 *
 * Chinese has a blank before Latin letters and digits only, and none after full-width punctuation.
 * Removes the blank before the value at `start` where it does not belong. */
static void close_up(struct strbuf *out, size_t start)
{
	if (start < 2 || start >= out->len || out->buf[start - 1] != ' ')
		return;
	bool chinese = (out->buf[start - 2] & 0x80) && (out->buf[start] & 0x80);
	if (!chinese && !ends_wide(out, start - 1))
		return;
	memmove(out->buf + start - 1, out->buf + start, out->len - start);
	strbuf_truncate(out, out->len - 1);
}

/* Whether the blank after a value, at the start of `rest`, does not belong there. */
static bool is_surplus(const struct strbuf *out, const char *rest)
{
	return out->len && (out->buf[out->len - 1] & 0x80) && rest[0] == ' ' && (rest[1] & 0x80);
}

void vocabulary_add(struct strbuf *out, enum language language, const struct message *message)
{
	if (!message)
		return;
	assert(message->code < MESSAGE_COUNT && language <= LANGUAGE_BRIEF_CHINESE);
	for (const char *text = template_of(language, message->code); *text;) {
		size_t plain = strcspn(text, "{");
		strbuf_add(out, text, plain);
		text += plain;
		if (*text) {
			size_t len = strcspn(text, "}"), start = out->len;
			fill(out, language, message, placeholder_of(text + 1, len - 1));
			if (is_chinese(language))
				close_up(out, start);
			text += len + 1;
			if (is_chinese(language) && is_surplus(out, text))
				text++;
		}
	}
}

const char *vocabulary_text(struct arena *arena, enum language language,
			    const struct message *message)
{
	struct strbuf sb = {0};
	vocabulary_add(&sb, language, message);
	return strbuf_into(&sb, arena);
}

const char *vocabulary_say(struct arena *arena, const struct message *message)
{
	return message ? vocabulary_text(arena, vocabulary_spoken(), message) : NULL;
}

const char *vocabulary_say_briefly(struct arena *arena, const struct message *message)
{
	const enum language language =
		is_chinese(vocabulary_spoken()) ? LANGUAGE_BRIEF_CHINESE : LANGUAGE_BRIEF;
	return message ? vocabulary_text(arena, language, message) : NULL;
}

const char *vocabulary_term(enum language language, enum message_code code)
{
	assert(message_arity(code) == 0);
	return templates[code][language];
}

const char *vocabulary_template(enum language language, enum message_code code)
{
	assert(code < MESSAGE_COUNT);
	return template_of(language, code);
}
