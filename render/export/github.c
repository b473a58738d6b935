/* GitHub workflow commands: the worst findings as annotations, "::error
 * file=a.py,line=3,title=...::message". */
#include "render/document/key.h"
#include "render/export/exporter.h"

#include "base/text/text.h"
#include "render/export/annotation.h"

/* GitHub shows ten annotations per type and step, and silently drops the rest. */
enum { ANNOTATIONS_AT_MOST = 10 };
/* GitHub's limit for the title of an annotation. */
enum { TITLE_BYTES = 255 };

/* Escapes as GitHub's runner unescapes: % and line ends everywhere; in properties, also ':' and
 * ','. */
static void add_escaped(struct strbuf *out, const char *text, bool property)
{
	for (; *text; text++)
		if (strchr("%\r\n", *text) || (property && strchr(":,", *text)))
			strbuf_addf(out, "%%%02X", (unsigned)(unsigned char)*text);
		else
			strbuf_addch(out, *text);
}

static void add_property(struct strbuf *out, const char *name, const char *value)
{
	bool first = out->buf[out->len - 1] == ' ';
	strbuf_addf(out, "%s%s=", first ? "" : ",", name);
	add_escaped(out, value, true);
}

static const char *title_of(struct arena *arena, const struct annotation *annotation)
{
	static const char end[] = "...";
	const char *title = arena_printf(arena, "%s: %s", annotation->word, annotation->label);
	if (strlen(title) <= TITLE_BYTES)
		return title;
	struct span head = {title, TITLE_BYTES - strlen(end)};
	return arena_printf(arena, "%.*s%s", (int)utf8_valid_prefix(head), title, end);
}

static void add_command(struct arena *arena, struct strbuf *out,
			const struct annotation *annotation)
{
	strbuf_addf(out, "::%s ", annotation->level->github);
	/* Without a file, GitHub shows the annotation in the summary of the run. */
	if (strcmp(annotation->path, annotation_default_path) != 0) {
		add_property(out, "file", annotation->path);
		add_property(out, "line", arena_printf(arena, "%d", annotation->line));
	}
	add_property(out, "title", title_of(arena, annotation));
	strbuf_addstr(out, "::");
	add_escaped(out, annotation->message, false);
	strbuf_addch(out, '\n');
}

/* A notice where the change has other rules than those that decided. */
static void add_configuration(struct strbuf *out, const struct json *gate)
{
	const char *text = json_text(json_get(gate, KEY(configuration)), KEY(text), NULL);
	if (!text)
		return;
	strbuf_addstr(out, "::notice title=rooflog configuration::");
	add_escaped(out, text, false);
	strbuf_addch(out, '\n');
}

void export_github(struct arena *arena, const struct json *document, const struct export_target *to)
{
	struct strbuf *out = to->out;
	size_t count;
	const struct json *gate = json_get(document, KEY(gate));
	const struct annotation *annotations = annotations_of(arena, gate, &count);
	size_t shown = count > ANNOTATIONS_AT_MOST ? ANNOTATIONS_AT_MOST - 1 : count;
	add_configuration(out, gate);
	for (size_t i = 0; i < shown; i++)
		add_command(arena, out, &annotations[i]);
	if (shown < count)
		strbuf_addf(out,
			    "::%s title=rooflog::%zu more comparisons fail; the report lists all\n",
			    annotations[shown].level->github, count - shown);
}
