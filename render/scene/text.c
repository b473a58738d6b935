/* Texts of a scene: cleaning, estimated widths, shortening, boxes. */
#include "render/scene/scene.h"

#include "base/base.h"
#include "base/text/text.h"

static const char ellipsis[] = "\xe2\x80\xa6";

/* Advance widths of ASCII 32 to 126, regular and bold, in thousandths of the font size: the
 * maximum of DejaVu Sans, Noto Sans and Liberation Sans (metrically equal to Arial and Helvetica).
 * A text that fits by these widths fits in any common sans-serif font. */
static const uint16_t widths[2][95] = {
	{318,  401, 460, 838, 637, 951, 780, 275, 391, 391, 551, 838, 318, 361, 318, 372,
	 637,  637, 637, 637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557,
	 1016, 685, 687, 723, 771, 667, 611, 778, 752, 339, 500, 667, 558, 907, 760, 788,
	 667,  788, 723, 667, 611, 732, 685, 989, 686, 667, 686, 391, 372, 391, 838, 557,
	 500,  613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580, 278, 975, 634, 612,
	 635,  635, 413, 521, 393, 634, 592, 818, 592, 592, 525, 637, 551, 637, 838},
	{349,  457, 521, 838, 696, 1002, 873, 307,  458, 458, 545, 838, 380, 416,  380, 413,
	 696,  696, 696, 696, 696, 696,  696, 696,  696, 696, 400, 400, 838, 838,  838, 611,
	 1000, 774, 763, 734, 831, 684,  684, 821,  837, 389, 557, 775, 638, 996,  837, 851,
	 733,  851, 771, 721, 683, 813,  774, 1104, 771, 725, 726, 458, 413, 458,  838, 557,
	 500,  675, 716, 593, 716, 679,  436, 716,  712, 343, 343, 666, 343, 1042, 712, 688,
	 716,  716, 494, 596, 479, 712,  652, 924,  646, 652, 583, 712, 551, 712,  838},
};

static const double ascent = 0.80, descent = 0.22;

/* The width of a non-ASCII character, in thousandths of the font size; 0 for combining marks. An
 * upper bound for words in most alphabets; the letters of Tamil, Malayalam and Sinhala have their
 * own, larger one. */
static double width_beyond_ascii(struct span bytes, uint32_t code, bool bold)
{
	enum {
		LETTER = 840,
		BOLD_LETTER = 930,
		WIDE_LETTER = 1300,
		IDEOGRAPH = 1030,
		EMOJI = 1375
	};
	const uint32_t first_ideograph = 0x2e80, first_pictograph = 0x1f000;
	size_t columns = utf8_columns(bytes);
	if (columns == 2)
		return code >= first_ideograph && code < first_pictograph ? IDEOGRAPH : EMOJI;
	if (columns == 0)
		return 0;
	if ((code >= 0xb80 && code <= 0xbff) || (code >= 0xd00 && code <= 0xdff))
		return WIDE_LETTER;
	if (code == 0x2026 || code == 0xfffd)
		return IDEOGRAPH;
	return bold ? BOLD_LETTER : LETTER;
}

/* Letters of Hebrew, Arabic and other right-to-left scripts. */
static bool is_right_to_left(uint32_t code)
{
	return (code >= 0x590 && code < 0x900) || (code >= 0xfb1d && code < 0xfe00) ||
	       (code >= 0xfe70 && code < 0xff00) || (code >= 0x10800 && code < 0x11000) ||
	       (code >= 0x1e800 && code < 0x1f000);
}

/* An approximation, sufficient to find the end of a right-to-left run. */
static bool is_left_to_right(uint32_t code)
{
	return (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') ||
	       (code >= 0xc0 && code < 0x2000) || (code >= 0x2c00 && code < 0x1f000);
}

/* Whether another right-to-left letter comes before the next left-to-right letter. */
static bool goes_on_right_to_left(struct span rest)
{
	while (rest.len) {
		uint32_t code;
		utf8_cut(&rest, &code);
		if (is_right_to_left(code))
			return true;
		if (is_left_to_right(code))
			return false;
	}
	return false;
}

const char *scene_clean(struct arena *arena, const char *text)
{
	struct strbuf shown = {0}, set = {0};
	shown_text(&shown, span_of(text ? text : ""), "");
	quantity_add_typeset(&set, strbuf_span(&shown));
	strbuf_free(&shown);
	return strbuf_into(&set, arena);
}

void scene_directed(struct strbuf *out, const char *text, const char *mark)
{
	for (struct span rest = span_of(text); rest.len;) {
		uint32_t code;
		strbuf_addspan(out, utf8_cut(&rest, &code));
		if (is_right_to_left(code) && !goes_on_right_to_left(rest))
			strbuf_addstr(out, mark);
	}
}

static double span_width(struct span text, double size, bool bold)
{
	double sum = 0;
	while (text.len) {
		uint32_t code;
		size_t len = utf8_next(text, &code);
		if (len == 0)
			break;
		sum += code >= 32 && code < 127
			       ? widths[bold][code - 32]
			       : width_beyond_ascii((struct span){text.ptr, len}, code, bold);
		text.ptr += len;
		text.len -= len;
	}
	return sum * size / 1000;
}

double scene_text_width(const char *text, double size, bool bold)
{
	return span_width(span_of(text), size, bold);
}

/* The longest prefix that fits; a base character keeps its combining marks. */
static size_t head_of(struct span text, double width, double size, bool bold)
{
	double sum = 0;
	for (struct span rest = text; rest.len;) {
		size_t before = text.len - rest.len;
		sum += span_width(utf8_cut(&rest, NULL), size, bold);
		if (sum > width)
			return before;
	}
	return text.len;
}

/* The start of the longest suffix that fits; never at a combining mark. */
static size_t tail_of(struct span text, double width, double size, bool bold)
{
	double all = span_width(text, size, bold), sum = 0;
	for (struct span rest = text; rest.len;) {
		size_t before = text.len - rest.len;
		double here = span_width(utf8_cut(&rest, NULL), size, bold);
		if (here > 0 && all - sum <= width)
			return before;
		sum += here;
	}
	return text.len;
}

const char *scene_shorten(struct arena *arena, const char *text, double size, bool bold,
			  double width)
{
	const char *clean = scene_clean(arena, text);
	if (scene_text_width(clean, size, bold) <= width)
		return clean;
	double room = width - scene_text_width(ellipsis, size, bold);
	struct span all = span_of(clean);
	/* The head gets 60 % of the room: names differ more often at their beginning. */
	size_t head = head_of(all, room * 0.6, size, bold);
	double left = room - span_width((struct span){clean, head}, size, bold);
	struct span rest = {clean + head, all.len - head};
	size_t tail = head + tail_of(rest, left, size, bold);
	return arena_printf(arena, "%.*s%s%s", (int)head, clean, ellipsis, clean + tail);
}

struct scene_quad scene_text_box(const struct scene_item *item)
{
	assert(item->anchor <= SCENE_END);
	static const double shift[] = {[SCENE_START] = 0, [SCENE_MIDDLE] = 0.5, [SCENE_END] = 1};
	double left = -shift[item->anchor] * item->text_width, right = left + item->text_width;
	double top = -ascent * item->size, bottom = descent * item->size + item->below;
	double radians = item->angle * M_PI / 180;
	double c = item->angle == 0 ? 1 : cos(radians), s = item->angle == 0 ? 0 : sin(radians);
	struct scene_quad box = {{{left, top}, {right, top}, {right, bottom}, {left, bottom}}};
	for (size_t i = 0; i < 4; i++) {
		struct scene_point p = box.corner[i];
		box.corner[i].x = item->x + p.x * c - p.y * s;
		box.corner[i].y = item->y + p.x * s + p.y * c;
	}
	return box;
}
