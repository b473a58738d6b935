/* Writes the packed trace and the source files as JSON, and hashes for the policy. */
#include "render/chart/viewer/data.h"

#include "base/hash/hash.h"
#include "base/json/json.h"
#include "base/text/text.h"

/* Adds a text that a person will read: what does not show is written as its code point. */
static void add_shown(struct strbuf *out, const char *text)
{
	struct strbuf shown = {0};
	shown_text(&shown, span_of(text), "");
	json_string(out, strbuf_text(&shown));
	strbuf_free(&shown);
}

/* A member of digits, which need no escaping. */
static void add_digits(struct strbuf *out, const char *name, const struct strbuf *digits)
{
	strbuf_addf(out, ",\"%s\":\"%s\"", name, strbuf_text(digits));
}

static void add_texts(struct strbuf *out, const char *name, const struct trace_texts *texts)
{
	strbuf_addf(out, ",\"%s\":[", name);
	for (size_t i = 0; i < texts->count; i++) {
		if (i)
			strbuf_addch(out, ',');
		add_shown(out, texts->items[i]);
	}
	strbuf_addch(out, ']');
}

static void add_track(struct strbuf *out, const struct trace_packed_track *track)
{
	static const char *const kinds[TRACE_KINDS] = {"engine", "queue", "semaphore"};
	strbuf_addf(out, "{\"kind\":\"%s\",\"core\":", kinds[track->kind]);
	add_shown(out, track->core);
	strbuf_addstr(out, ",\"name\":");
	add_shown(out, track->name);
	strbuf_addf(out, ",\"count\":%zu,\"left\":%zu,\"active\":%" PRIu64, track->count,
		    track->left_out, track->active);
	add_digits(out, "begins", &track->columns.begins);
	add_digits(out, "lengths", &track->columns.lengths);
	add_digits(out, "names", &track->columns.names);
	add_digits(out, "operands", &track->columns.operands);
	add_digits(out, "sources", &track->columns.sources);
	strbuf_addch(out, '}');
}

static void add_file(struct strbuf *out, const struct viewer_file *file)
{
	strbuf_addstr(out, "{\"location\":");
	add_shown(out, file->location);
	strbuf_addstr(out, ",\"path\":");
	add_shown(out, file->path);
	strbuf_addstr(out, ",\"lines\":[");
	const char *comma = "";
	for (struct span rest = file->text; rest.ptr && rest.len; comma = ",") {
		struct span line = span_cut(&rest, '\n');
		struct strbuf shown = {0};
		shown_text(&shown, line, "\t");
		strbuf_addstr(out, comma);
		json_string(out, strbuf_text(&shown));
		strbuf_free(&shown);
	}
	strbuf_addstr(out, "]}");
}

static void add_idle(struct strbuf *out, const struct trace_packed *packed)
{
	strbuf_addstr(out, ",\"idle\":[");
	for (size_t i = 0; i < packed->idle_count; i++)
		strbuf_addf(out, "%s[%.17g,%.17g]", i ? "," : "", packed->idle[i].from,
			    packed->idle[i].to);
	strbuf_addch(out, ']');
}

/* The members of a side. */
static void add_side(struct strbuf *out, const struct viewer_side *side)
{
	const struct trace_packed *packed = side->packed;
	strbuf_addf(out, "\"tick\":%.17g,\"from\":%.17g,\"to\":%.17g,\"operand_count\":%zu",
		    packed->tick, packed->from, packed->to, packed->operand_count);
	strbuf_addf(out, ",\"streams\":%s", packed->streams ? "true" : "false");
	strbuf_addstr(out, ",\"name\":");
	add_shown(out, side->name);
	add_idle(out, packed);
	add_texts(out, "names", &packed->names);
	add_texts(out, "sources", &packed->sources);
	add_texts(out, "words", &packed->words);
	add_digits(out, "operands", &packed->operands);
	strbuf_addstr(out, ",\"tracks\":[");
	for (size_t i = 0; i < packed->track_count; i++) {
		if (i)
			strbuf_addch(out, ',');
		add_track(out, &packed->tracks[i]);
	}
	strbuf_addstr(out, "],\"files\":[");
	for (size_t i = 0; i < side->file_count; i++) {
		if (i)
			strbuf_addch(out, ',');
		add_file(out, &side->files[i]);
	}
	strbuf_addch(out, ']');
}

static void add_all(struct strbuf *out, const struct viewer_page *page)
{
	strbuf_addch(out, '{');
	add_side(out, &page->run);
	strbuf_addf(out, ",\"part\":%s", page->part ? "true" : "false");
	if (page->baseline) {
		strbuf_addf(out, ",\"resolution\":%.17g,\"matches\":[",
			    page->match_count ? page->resolution : 0);
		for (size_t i = 0; i < page->match_count; i++) {
			const struct viewer_match *match = &page->matches[i];
			strbuf_addf(out, "%s[%.17g,%.17g,%.17g,%.17g]", i ? "," : "",
				    match->baseline_from, match->baseline_to, match->from,
				    match->to);
		}
		strbuf_addstr(out, "],\"baseline\":{");
		add_side(out, page->baseline);
		strbuf_addch(out, '}');
	}
	strbuf_addch(out, '}');
}

/* In JSON, "<" occurs in strings only. */
void render_viewer_data(struct strbuf *out, const struct viewer_page *page)
{
	struct strbuf plain = {0};
	add_all(&plain, page);
	struct span rest = strbuf_span(&plain);
	while (rest.ptr) {
		strbuf_addspan(out, span_cut(&rest, '<'));
		if (rest.ptr)
			strbuf_addstr(out, "\\u003c");
	}
	strbuf_free(&plain);
}

static unsigned hex_digit(char c)
{
	return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10);
}

void render_viewer_allow(struct strbuf *out, struct span text)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct sha256 hash;
	char hex[65];
	unsigned char bytes[33] = {0};
	sha256_init(&hash);
	sha256_add(&hash, text.ptr, text.len);
	sha256_hex(&hash, hex);
	for (int i = 0; i < 32; i++)
		bytes[i] = (unsigned char)(hex_digit(hex[2 * i]) << 4 | hex_digit(hex[2 * i + 1]));
	strbuf_addstr(out, "'sha256-");
	/* 32 bytes are 43 digits and one "=". */
	for (int i = 0; i < 43; i++) {
		unsigned at = (unsigned)i * 6, pair = bytes[at / 8] << 8 | bytes[at / 8 + 1];
		strbuf_addch(out, digits[pair >> (10 - at % 8) & 63]);
	}
	strbuf_addstr(out, "='");
}
