/* Option parsing and help from one table. */
#include "cli/config/option.h"
#include "base/text/fill.h"

#include <string.h>

static const struct option *find(const struct option *options, struct span name)
{
	for (; options->kind != OPTION_END; options++)
		if (span_is(name, options->name))
			return options;
	return NULL;
}

static int take_list(const struct option *option, const char *value, struct error *err)
{
	struct text_list *list = option->target;
	if (list->count == text_list_limit)
		return error_set(err, ERR_USAGE, "--%s is given more than %d times", option->name,
				 text_list_limit);
	list->items[list->count++] = value;
	return 0;
}

static int take(const struct option *option, const char *value, struct error *err)
{
	if (option->kind == OPTION_FLAG && value)
		return error_set(err, ERR_USAGE, "--%s takes no value", option->name);
	if (option->kind == OPTION_FLAG) {
		*(bool *)option->target = true;
		return 0;
	}
	if (option->kind == OPTION_MAYBE && !value)
		value = "";
	if (!value)
		return error_set(err, ERR_USAGE, "--%s needs a value: --%s %s", option->name,
				 option->name, option->argument);
	if (option->kind == OPTION_LIST)
		return take_list(option, value, err);
	*(const char **)option->target = value;
	return 0;
}

int options_parse(const struct option *options, int argc, char **argv, int *rest, struct error *err)
{
	int kept = 0;
	bool only_rest = false;
	for (int i = 1; i < argc; i++) {
		char *arg = argv[i];
		if (only_rest || arg[0] != '-' || arg[1] == '\0') {
			argv[1 + kept++] = arg;
			continue;
		}
		if (strcmp(arg, "--") == 0) {
			only_rest = true;
			continue;
		}
		struct span value = span_of(arg + (arg[1] == '-' ? 2 : 1));
		struct span name = span_cut(&value, '=');
		const struct option *option = find(options, name);
		if (!option || arg[1] != '-')
			return error_set(err, ERR_USAGE, "unknown option %s; --help lists them",
					 arg);
		const char *text = value.ptr;
		bool takes = option->kind == OPTION_TEXT || option->kind == OPTION_LIST;
		if (!text && takes && i + 1 < argc)
			text = argv[++i];
		if (take(option, text, err) < 0)
			return -1;
	}
	*rest = kept;
	return 0;
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

void options_help(const struct option *options, struct strbuf *out)
{
	for (; options->kind != OPTION_END; options++) {
		size_t start = out->len;
		bool maybe = options->kind == OPTION_MAYBE;
		strbuf_addf(out, "  --%s%s%s%s", options->name,
			    maybe               ? "[="
			    : options->argument ? " "
						: "",
			    options->argument ? options->argument : "", maybe ? "]" : "");
		size_t width = out->len - start;
		if (width < 26)
			strbuf_repeat(out, " ", 26 - width);
		else
			strbuf_addstr(out, "\n                          ");
		fill_words(out, options->help, 26);
	}
}
