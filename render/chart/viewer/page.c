/* The document of the page, and the page. */
#include "render/chart/viewer/viewer.h"

#include "base/embedded.h"
#include "base/json/json.h"
#include "base/text/text.h"
#include "render/markup/markup.h"
#include "render/chart/viewer/data.h"

/* Before their characters are escaped. */
static const size_t table_limit = 512u << 10;

extern const struct embedded_file template_files[];

const char *render_viewer_time(struct arena *arena, double seconds)
{
	const char *text = quantity_text(arena, seconds, UNIT_SECOND);
	size_t len = strlen(text);
	if (len < 3 || strcmp(text + len - 3, " us") != 0)
		return text;
	return arena_printf(arena, "%.*s \u00b5s", (int)(len - 3), text);
}

static const char *text_of(void *context, const char *name)
{
	const struct embedded_file *file = embedded_find(template_files, name);
	(void)context;
	return file ? file->text : NULL;
}

static const char *operands_of(const struct trace *trace, uint32_t text)
{
	return trace->texts[text].text;
}

static const char *shown_name(const char *name)
{
	static const char *const names[][2] = {{"tensor", "Tensor"},
					       {"vector", "Vector"},
					       {"scalar", "Scalar"},
					       {"gpsimd", "GpSimd"},
					       {"sync", "Sync"}};
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strcmp(names[i][0], name) == 0)
			return names[i][1];
	return name;
}

/* "sg00 Tensor"; the core only where there are several. */
static const char *label(struct arena *arena, const struct trace_packed *packed,
			 const struct trace_packed_track *track)
{
	bool several = false;
	for (size_t i = 0; i < packed->track_count; i++)
		several |= packed->tracks[i].kind == TRACE_ENGINE &&
			   strcmp(packed->tracks[i].core, track->core) != 0;
	const char *name = shown_name(track->name);
	return several && track->core[0] ? arena_printf(arena, "%s %s", track->core, name) : name;
}

static void add_longest(struct arena *arena, const struct viewer_page *page,
			const struct trace_packed_track *track, struct json *list)
{
	const struct trace_packed *packed = page->run.packed;
	const struct trace *trace = packed->trace;
	for (size_t i = 0; i < track->longest_count; i++) {
		const struct trace_event *event = &track->longest[i];
		struct json *row = json_add_object(arena, list);
		json_set_text(arena, row, "opcode", trace->texts[event->name].text);
		json_set_text(arena, row, "operands", operands_of(trace, event->operands));
		json_set_text(arena, row, "source", trace->texts[event->source].text);
		json_set_text(arena, row, "time",
			      render_viewer_time(arena, (double)event->duration * packed->tick));
		json_set_text(arena, row, "start",
			      render_viewer_time(arena, (double)(event->begin - packed->origin) *
								packed->tick));
		json_set_text(arena, row, "at",
			      arena_printf(arena, "%" PRIu64, event->begin - packed->origin));
	}
}

/* The bytes of a row and of its texts. */
static size_t table_bytes(const struct trace *trace, const struct trace_packed_track *track)
{
	size_t bytes = 0;
	for (size_t i = 0; i < track->longest_count; i++) {
		const struct trace_event *event = &track->longest[i];
		bytes += 100 + trace->texts[event->name].len + trace->texts[event->operands].len +
			 trace->texts[event->source].len;
	}
	return bytes;
}

/* A table that does not fit is left out, and counted. */
static void add_engines(struct arena *arena, const struct viewer_page *page, struct json *document,
			size_t *left_out)
{
	const struct trace_packed *packed = page->run.packed;
	struct json *engines = json_set_array(arena, document, "engines");
	size_t room = table_limit;
	for (size_t i = 0; i < packed->track_count; i++) {
		const struct trace_packed_track *track = &packed->tracks[i];
		if (track->kind != TRACE_ENGINE || track->longest_count == 0)
			continue;
		size_t bytes = table_bytes(packed->trace, track);
		if (bytes > room) {
			++*left_out;
			continue;
		}
		room -= bytes;
		struct json *engine = json_add_object(arena, engines);
		double part = packed->to - packed->from;
		json_set_bool(arena, engine, "first", engines->count == 1);
		json_set_text(arena, engine, "name", label(arena, packed, track));
		json_set_text(arena, engine, "track", arena_printf(arena, "%zu", i));
		json_set_text(arena, engine, "instructions",
			      quantity_count_text(arena, track->count + track->left_out,
						  packed->streams ? "kernel" : "instruction",
						  packed->streams ? "kernels" : "instructions"));
		json_set_text(arena, engine, "active",
			      render_viewer_time(arena, (double)track->active * packed->tick));
		json_set_text(arena, engine, "share",
			      quantity_percent_text(arena,
						    part > 0 ? (double)track->active / part : NAN));
		add_longest(arena, page, track, json_set_array(arena, engine, "longest"));
	}
}

static void add_links(struct arena *arena, const struct viewer_page *page, struct json *document)
{
	struct json *links = json_set_array(arena, document, "links");
	for (size_t i = 0; i < page->link_count; i++) {
		struct json *link = json_add_object(arena, links);
		json_set_text(arena, link, "text", page->links[i].text);
		json_set_text(arena, link, "href", page->links[i].href);
	}
	if (!page->other)
		return;
	struct json *other = json_set_object(arena, document, "other");
	json_set_text(arena, other, "text", page->other->text);
	json_set_text(arena, other, "href", page->other->href);
}

/* "Nothing is active for 18 %. The busiest engine is Tensor, 28 %." NULL: nothing to say. */
static const char *summary_of(struct arena *arena, const struct viewer_page *page)
{
	const struct trace_packed *packed = page->run.packed;
	const struct trace_packed_track *busiest = NULL;
	double part = packed->to - packed->from;
	for (size_t i = 0; i < packed->track_count; i++)
		if (packed->tracks[i].kind == TRACE_ENGINE &&
		    (!busiest || packed->tracks[i].active > busiest->active))
			busiest = &packed->tracks[i];
	if (!busiest || !(part > 0))
		return NULL;
	return arena_printf(arena, "Nothing is active for %s of %s. The busiest %s is %s, %s.",
			    quantity_percent_text(arena, packed->idle_time / part),
			    render_viewer_time(arena, part * packed->tick),
			    packed->streams ? "stream" : "engine", label(arena, packed, busiest),
			    quantity_percent_text(arena, (double)busiest->active / part));
}

/* What the page and its policy share: a byte more, and the browser refuses the script. */
static void add_parts(struct arena *arena, struct json *document)
{
	struct strbuf style = {0}, policy = {0};
	struct strbuf script = {0};
	static const char *const scripts[] = {"viewer-data.js", "viewer-draw.js", "viewer.js"};
	for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++)
		strbuf_addstr(&script, text_of(NULL, scripts[i]));
	strbuf_addstr(&style, text_of(NULL, "style.css"));
	strbuf_addstr(&style, text_of(NULL, "viewer.css"));
	strbuf_addstr(&policy, "default-src 'none'; style-src ");
	render_viewer_allow(&policy, strbuf_span(&style));
	strbuf_addstr(&policy, "; script-src ");
	render_viewer_allow(&policy, strbuf_span(&script));
	strbuf_addstr(&policy, "; img-src data:; base-uri 'none'; form-action 'none'");
	json_set_text(arena, document, "style", strbuf_into(&style, arena));
	json_set_text(arena, document, "script", strbuf_into(&script, arena));
	json_set_text(arena, document, "policy", strbuf_into(&policy, arena));
}

/* "--from" at the start of a text: its length, 0 if there is none. */
static size_t option_at(const char *text)
{
	size_t len = strspn(text, "abcdefghijklmnopqrstuvwxyz-");
	return len > 2 && len <= 16 && text[0] == '-' && text[1] == '-' ? len : 0;
}

/* A note in parts, so that no line breaks within an option. */
static void add_note(struct arena *arena, struct json *notes, const char *note)
{
	struct json *parts = json_set_array(arena, json_add_object(arena, notes), "parts");
	const char *from = note;
	for (const char *at = note; *at; at++) {
		size_t len = at == note || at[-1] == ' ' ? option_at(at) : 0;
		if (!len)
			continue;
		struct json *part = json_add_object(arena, parts);
		json_set_text(arena, part, "text", arena_strndup(arena, from, (size_t)(at - from)));
		json_set_text(arena, part, "option", arena_strndup(arena, at, len));
		from = at + len;
		at = from - 1;
	}
	json_set_text(arena, json_add_object(arena, parts), "text", from);
}

int render_viewer_page(struct arena *arena, const struct viewer_page *page, struct strbuf *out,
		       struct error *err)
{
	struct json *document = json_object(arena);
	struct strbuf data = {0};
	render_viewer_data(&data, page);
	json_set_text(arena, document, "title", page->title);
	struct json *facts = json_set_array(arena, document, "facts");
	for (size_t i = 0; i < page->fact_count; i++) {
		struct json *fact = json_add_object(arena, facts);
		json_set_text(arena, fact, "name", page->facts[i].name);
		json_set_text(arena, fact, "value", page->facts[i].value);
	}
	size_t left_out = 0;
	add_engines(arena, page, document, &left_out);
	struct json *notes = json_set_array(arena, document, "notes");
	for (size_t i = 0; i < page->note_count; i++)
		add_note(arena, notes, page->notes[i]);
	json_set_bool(arena, document, "part", page->part);
	if (left_out)
		add_note(arena, notes,
			 arena_printf(arena,
				      "The slowest instructions of %s are not listed: they "
				      "do not fit on this page.",
				      quantity_count_text(arena, left_out, "engine", "engines")));
	if (page->run.file_count)
		json_set_text(arena, document, "commit", page->run.commit);
	json_set_bool(arena, document, "streams", page->run.packed->streams);
	add_links(arena, page, document);
	json_set_text(arena, document, "summary", summary_of(arena, page));
	if (page->baseline)
		json_set_text(arena, document, "baseline", page->baseline->name);
	json_set_bool(arena, document, "lined", page->run.packed->sources.count > 1);
	json_set_text(arena, document, "version", page->version);
	json_set_text(arena, document, "data", strbuf_into(&data, arena));
	add_parts(arena, document);
	return template_render("viewer.html", span_of(text_of(NULL, "viewer.html")), document,
			       TEMPLATE_ESCAPE_HTML, text_of, NULL, out, err);
}
