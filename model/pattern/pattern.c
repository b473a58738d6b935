/* Matches patterns with the names of series. */
#include "model/pattern/pattern.h"

enum { TEXT_LIMIT = 4096 }; /* bytes of a pattern */

static bool is_separator(char c)
{
	return c == ' ' || c == ',' || c == '(' || c == ')';
}

static size_t length_of(const char *text)
{
	return text ? strlen(text) : 0;
}

/* Whether a name ends where the rest begins. */
static bool is_end(const char *rest)
{
	return !*rest || is_separator(*rest);
}

struct series_pattern series_pattern_of(const char *text, const char *const *kernels, size_t count)
{
	struct series_pattern pattern = {.text = text};
	for (size_t i = 0; i < count; i++) {
		size_t len = length_of(kernels[i]);
		if (len > length_of(pattern.kernel) && strncmp(text, kernels[i], len) == 0 &&
		    is_end(text + len))
			pattern.kernel = kernels[i];
	}
	return pattern;
}

/* "<=64", ">1": whether the number is so; false for any other text. */
static bool number_fits(const char *condition, const char *text)
{
	bool equal = condition[1] == '=';
	double bound, number;
	if (!span_number(span_of(condition + 1 + equal), &bound) ||
	    !span_number(span_of(text), &number))
		return false;
	return (equal && number == bound) ||
	       (condition[0] == '<' ? number < bound : number > bound);
}

static bool param_fits(const char *word, const struct run *run)
{
	for (size_t i = 0; i < run->param_count; i++) {
		const struct run_param *param = &run->params[i];
		size_t len = strlen(param->name);
		if (strncmp(word, param->name, len) != 0)
			continue;
		if (word[len] == '=' ? span_glob(word + len + 1, param->value)
				     : (word[len] == '<' || word[len] == '>') &&
					       number_fits(word + len, param->value))
			return true;
	}
	return false;
}

/* Whether a word after the kernel matches. */
static bool word_fits(const char *word, const struct run *run)
{
	char cores[32];
	snprintf(cores, sizeof cores, "%d-core", run->cores);
	const char *const parts[] = {
		run->variant,
		run->dtype,
		run->device,
		run->instance_type ? run->instance_type : "unknown-instance",
		run->cores ? cores : NULL,
		run->tool,
		run->dirty ? "uncommitted" : NULL,
	};
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (span_glob(word, parts[i]))
			return true;
	return param_fits(word, run);
}

/* Separators in `words` become ends of words. */
static bool words_fit(char *words, const struct run *run)
{
	bool fit = true;
	while (fit && *words) {
		char *end = words;
		while (!is_end(end))
			end++;
		char separator = *end;
		*end = '\0';
		fit = !*words || word_fits(words, run);
		*end = separator;
		words = separator ? end + 1 : end;
	}
	return fit;
}

static bool any_kernel_fits(char *text, size_t len, const struct run *run)
{
	for (size_t end = 1; end <= len; end++) {
		char separator = text[end];
		if (!is_end(text + end))
			continue;
		text[end] = '\0';
		bool fits = span_glob(text, run->kernel);
		text[end] = separator;
		if (fits && words_fit(text + end, run))
			return true;
	}
	return false;
}

static bool is_key(const char *text, const struct run *run)
{
	struct arena scratch = {0};
	bool same = strchr(text, '/') && strcmp(run_series_key(&scratch, run), text) == 0;
	arena_free(&scratch);
	return same;
}

bool series_pattern_fits(const struct series_pattern *pattern, const struct run *run)
{
	char text[TEXT_LIMIT + 1];
	size_t len = strlen(pattern->text), kernel = length_of(pattern->kernel);
	if (len > TEXT_LIMIT)
		return is_key(pattern->text, run);
	memcpy(text, pattern->text, len + 1);
	assert(kernel <= len);
	bool fits = pattern->kernel ? span_text_eq(pattern->kernel, run->kernel) &&
					      words_fit(text + kernel, run)
				    : any_kernel_fits(text, len, run);
	return fits || is_key(pattern->text, run);
}

bool series_pattern_has_part(const char *word, const struct run *run)
{
	return span_glob(word, run->kernel) || word_fits(word, run);
}
