/* Option parsing, checking and help from one table. */
#include "cli/config/option.h"

#include <ctype.h>

#include "base/text/text.h"
#include "cli/config/similar.h"

enum { OPTION_SPELLING = 40 };

void options_add(struct option_set *set, const struct option *rows, void *target)
{
	for (; rows && rows->kind != OPTION_END; rows++) {
		void *member = (char *)target + rows->offset;
		if (rows->kind == OPTION_ROWS) {
			options_add(set, rows->rows, member);
			continue;
		}
		if (rows->kind == OPTION_TITLE || rows->kind == OPTION_SET)
			continue;
		assert(set->count < option_limit);
		set->items[set->count++] = (struct bound_option){.row = rows, .target = member};
	}
}

static struct bound_option *find(struct option_set *set, struct span name)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].row->name && span_is(name, set->items[i].row->name))
			return &set->items[i];
	return NULL;
}

static struct bound_option *find_letter(struct option_set *set, char letter)
{
	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].row->letter == letter)
			return &set->items[i];
	return NULL;
}

/* "--name" or "-n", as messages call an option. */
static const char *spelling(const struct option *row, char buffer[OPTION_SPELLING])
{
	if (row->name)
		snprintf(buffer, OPTION_SPELLING, "--%s", row->name);
	else
		snprintf(buffer, OPTION_SPELLING, "-%c", row->letter);
	return buffer;
}

static int unknown(const struct option_set *set, const char *arg, struct span name,
		   struct error *err)
{
	struct similar similar = similar_to(name);
	const char *guess = set->guess ? set->guess(set->command, name) : NULL;
	struct strbuf hint = {0};
	for (size_t i = 0; i < set->count; i++)
		if (set->items[i].row->name)
			similar_offer(&similar, set->items[i].row->name);
	for (size_t i = 0; !guess && i < similar.count; i++)
		strbuf_addf(&hint, "%s--%s",
			    i == 0                   ? "did you mean "
			    : i + 1 == similar.count ? " or "
						     : ", ",
			    similar.words[i]);
	if (hint.len)
		strbuf_addch(&hint, '?');
	if (guess || hint.len)
		error_set(err, ERR_USAGE, "unknown option %s\nhint: %s", arg,
			  guess ? guess : strbuf_text(&hint));
	else
		error_set(err, ERR_USAGE, "unknown option %s; -h lists them", arg);
	strbuf_free(&hint);
	return -1;
}

static int append_value(const struct bound_option *option, const char *value, struct error *err)
{
	struct text_list *list = option->target;
	char name[OPTION_SPELLING];
	if (list->count == text_list_limit)
		return error_set(err, ERR_USAGE, "%s is given more than %d times",
				 spelling(option->row, name), text_list_limit);
	list->items[list->count++] = value;
	return 0;
}

static int set_value(struct bound_option *option, const char *value, struct error *err)
{
	const struct option *row = option->row;
	char name[OPTION_SPELLING];
	spelling(row, name);
	if (row->kind == OPTION_FLAG && value)
		return error_set(err, ERR_USAGE, "%s takes no value", name);
	if (row->kind == OPTION_FLAG) {
		*(bool *)option->target = true;
		return 0;
	}
	if (row->maybe && !value)
		value = "";
	if (!value)
		return error_set(err, ERR_USAGE, "%s needs a value: %s %s", name, name,
				 row->argument);
	if (row->kind == OPTION_LIST)
		return append_value(option, value, err);
	if (row->kind == OPTION_TEXT && !row->choices)
		*(const char **)option->target = value;
	else
		option->text = value;
	return 0;
}

/* The option of an argument that begins with a dash; NULL if there is none. *value is what stands
 * in the argument itself; NULL: nothing does. */
static struct bound_option *option_of(struct option_set *set, const char *arg, struct span *name,
				      const char **value)
{
	struct span rest = span_of(arg + (arg[1] == '-' ? 2 : 1));
	bool count = arg[1] >= '0' && arg[1] <= '9';
	*name = span_cut(&rest, '=');
	*value = rest.ptr;
	if (arg[1] == '-')
		return find(set, *name);
	struct bound_option *option = find_letter(set, count ? 'n' : arg[1]);
	bool takes = option && option->row->kind != OPTION_FLAG;
	bool is_number = option && option->row->kind == OPTION_WHOLE;
	if (option && arg[2] && !count &&
	    (!takes || (is_number && !isdigit((unsigned char)arg[2]))))
		return NULL; /* -json does not mean -j son */
	*value = count ? arg + 1 : takes && arg[2] ? arg + 2 : NULL;
	return option;
}

/* Parses argv[*at], which begins with a dash; *at is then the last word of the option. */
static int parse_one(struct option_set *set, int argc, char **argv, int *at, struct error *err)
{
	const char *arg = argv[*at], *value;
	struct span name;
	struct bound_option *option = option_of(set, arg, &name, &value);
	if (!option)
		return unknown(set, arg, name, err);
	bool takes = option->row->kind != OPTION_FLAG && !option->row->maybe;
	if (!value && takes && *at + 1 < argc)
		value = argv[++*at];
	return set_value(option, value, err);
}

static bool is_option(const char *arg)
{
	return arg[0] == '-' && arg[1];
}

int options_parse(struct option_set *set, int argc, char **argv, int *rest, struct error *err)
{
	int count = 0;
	bool only_rest = false;
	for (int i = 1; i < argc; i++) {
		if (only_rest || !is_option(argv[i]))
			argv[1 + count++] = argv[i];
		else if (strcmp(argv[i], "--") == 0)
			only_rest = true;
		else if (parse_one(set, argc, argv, &i, err) < 0)
			return -1;
	}
	*rest = count;
	return 0;
}

int options_parse_leading(struct option_set *set, int argc, char **argv, int *first,
			  struct error *err)
{
	int i = 1;
	for (; i < argc && is_option(argv[i]); i++)
		if (parse_one(set, argc, argv, &i, err) < 0)
			return -1;
	*first = i;
	return 0;
}

/* --- values --- */

static int refuse_choice(const struct bound_option *option, struct error *err)
{
	struct span choices = span_of(option->row->choices);
	struct similar similar = similar_to(span_of(option->text));
	struct arena words = {0};
	struct strbuf message = {0};
	strbuf_addf(&message, "--%s %.40s: expected ", option->row->name, option->text);
	for (const char *between = ""; choices.ptr; between = ", ") {
		struct span choice = span_cut(&choices, '|');
		const char *word = arena_strndup(&words, choice.ptr, choice.len);
		similar_offer(&similar, word);
		strbuf_addf(&message, "%s%s", choices.ptr || !*between ? between : " or ", word);
	}
	similar_refuse(&similar, strbuf_text(&message), err);
	strbuf_free(&message);
	arena_free(&words);
	return -1;
}

static int convert_choice(const struct bound_option *option, struct error *err)
{
	for (struct span choices = span_of(option->row->choices); choices.ptr;)
		if (span_is(span_cut(&choices, '|'), option->text)) {
			*(const char **)option->target = option->text;
			return 0;
		}
	return refuse_choice(option, err);
}

static int convert_whole(const struct bound_option *option, struct error *err)
{
	const struct option *row = option->row;
	double number;
	if (!span_number(span_of(option->text), &number) || number < row->low ||
	    number > row->high || number != floor(number))
		return error_set(err, ERR_USAGE,
				 "--%s %.40s: expected a whole number from %.0f to %.0f", row->name,
				 option->text, row->low, row->high);
	assert(row->low >= 0 && row->high < 9e15);
	*(size_t *)option->target = (size_t)number;
	return 0;
}

static int convert_number(const struct bound_option *option, struct error *err)
{
	const struct option *row = option->row;
	struct span text = span_of(option->text);
	double number;
	assert(row->expected);
	bool read = row->share ? quantity_parse(text, UNIT_FRACTION, &number)
			       : span_number(text, &number);
	if (!read || !((number > row->low && number < row->high) || (row->zero && number == 0)))
		return error_set(err, ERR_USAGE, "--%s %.40s: expected %s", row->name, option->text,
				 row->expected);
	*(double *)option->target = number;
	return 0;
}

int options_convert(const struct option_set *set, struct error *err)
{
	for (size_t i = 0; i < set->count; i++) {
		const struct bound_option *option = &set->items[i];
		if (!option->text)
			continue;
		if ((option->row->kind == OPTION_TEXT    ? convert_choice(option, err)
		     : option->row->kind == OPTION_WHOLE ? convert_whole(option, err)
							 : convert_number(option, err)) < 0)
			return -1;
	}
	return 0;
}

int option_metric(const char *key, enum metric *metric, struct error *err)
{
	struct similar similar = similar_to(span_of(key));
	struct strbuf message = {0};
	*metric = metric_find(span_of(key));
	if (*metric != METRIC_COUNT)
		return 0;
	for (enum metric known = 0; known < METRIC_COUNT; known++)
		similar_offer(&similar, metric_info(known)->key);
	strbuf_addf(&message, "--metric %.80s: unknown metric", key);
	if (!similar.count)
		strbuf_addstr(&message, "\nhint: 'rooflog list metrics' has all");
	similar_refuse(&similar, strbuf_text(&message), err);
	strbuf_free(&message);
	return -1;
}

int option_pair(const char *option, struct span *rest, struct span *name, struct span *value,
		struct error *err)
{
	if (!rest->ptr || rest->len == 0)
		return 0;
	struct span pair = span_cut(rest, ',');
	*value = pair;
	*name = span_trim(span_cut(value, '='));
	if (!value->ptr || name->len == 0)
		return error_set(err, ERR_USAGE,
				 "--%s: expected NAME=VALUE[,NAME=VALUE]..., not \"%.*s\"", option,
				 (int)(pair.len < 80 ? pair.len : 80), pair.ptr);
	*value = span_trim(*value);
	return 1;
}

/* "  -n, --limit N", with room for the letter where there is none. */
static void add_name(struct strbuf *out, const struct option *row)
{
	if (row->letter)
		strbuf_addf(out, "  -%c%s", row->letter, row->name ? "," : "");
	else
		strbuf_addstr(out, "     ");
	if (row->name)
		strbuf_addf(out, " --%s", row->name);
	if (row->argument)
		strbuf_addf(out, row->maybe ? "[=%s]" : " %s", row->argument);
}

static void add_option(struct strbuf *out, const struct option *row)
{
	enum { TEXT = 28 };
	size_t start = out->len;
	add_name(out, row);
	size_t width = out->len - start;
	if (width < TEXT - 1)
		strbuf_pad(out, width, TEXT);
	else
		strbuf_addf(out, "\n%*s", TEXT, "");
	fill_words(out, row->help, TEXT);
}

/* Whether the table's rows are printed elsewhere. */
static bool is_elsewhere(const struct option *row, const struct option *without)
{
	if (row->kind == OPTION_ROWS)
		return row->rows == without || (row->rows->kind == OPTION_SET && !row->help);
	return row->kind == OPTION_SET;
}

/* Returns whether there was a row, so that `title` is printed once. */
static bool add_rows(const struct option *rows, const struct option *without, const char *title,
		     bool begun, struct strbuf *out)
{
	for (; rows && rows->kind != OPTION_END; rows++) {
		if (is_elsewhere(rows, without))
			continue;
		if (rows->kind == OPTION_ROWS) {
			if (rows->help)
				strbuf_addf(out, "\n%s\n", rows->help);
			begun = add_rows(rows->rows, without, title, begun || rows->help, out);
			continue;
		}
		const char *heading = rows->kind == OPTION_TITLE ? rows->help : title;
		if (rows->kind == OPTION_TITLE || !begun)
			strbuf_addf(out, "\n%s%s", heading, *heading ? "\n" : "");
		if (rows->kind != OPTION_TITLE)
			add_option(out, rows);
		begun = true;
	}
	return begun;
}

void options_help(const struct option *rows, const struct option *without, const char *title,
		  struct strbuf *out)
{
	add_rows(rows, without, title, false, out);
}

void options_sets(const struct option *rows, struct strbuf *out)
{
	for (; rows && rows->kind != OPTION_END; rows++) {
		if (rows->kind != OPTION_ROWS)
			continue;
		if (rows->rows->kind != OPTION_SET)
			options_sets(rows->rows, out);
		else if (!rows->help && !strstr(strbuf_text(out), rows->rows->help))
			strbuf_addf(out, "%s, ", rows->rows->help);
	}
}
