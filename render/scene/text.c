/* Texts of a scene: cleaning, estimated widths, shortening, boxes. */
#include "render/scene/scene.h"

#include <math.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/text/utf8.h"

static const char ellipsis[] = "\xe2\x80\xa6";
static const char replacement[] = "\xef\xbf\xbd";

/* Advance widths of ASCII 32 to 126 in thousandths of the size: Helvetica, Arial and Liberation
 * Sans agree on them; the few characters that Cairo's built-in font draws wider are widened. */
static const uint16_t widths[95] = {
	278,  278, 389, 583, 556, 889, 722, 222, 361, 361, 444, 600, 278, 400, 278, 400,
	556,  556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 600, 600, 600, 556,
	1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
	667,  778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 361, 400, 361, 600, 600,
	333,  556, 556, 500, 556, 556, 389, 556, 556, 222, 222, 500, 222, 833, 556, 556,
	556,  556, 389, 500, 389, 556, 500, 722, 500, 500, 500, 389, 260, 389, 600};

/* Bold is wider by this factor, in the same fonts. */
static const double bold_factor = 1.10;
static const double ascent = 0.80, descent = 0.22;

/* Thousandths of the size; 0 for combining marks. Other alphabets are guessed on the wide side. */
static double width_of(struct span bytes, uint32_t code)
{
	if (code >= 32 && code < 127)
		return widths[code - 32];
	size_t columns = utf8_columns(bytes);
	if (code == 0x2026 || code == 0xfffd || columns == 2)
		return 1000;
	return columns == 0 ? 0 : 760;
}

/* Marks of direction and other invisible characters: a name must read as it is stored. */
static bool is_steering(uint32_t code)
{
	return code == 0xad || code == 0x61c || code == 0x180e ||
	       (code >= 0x200b && code <= 0x200f) || (code >= 0x202a && code <= 0x202e) ||
	       (code >= 0x2060 && code <= 0x206f) || code == 0xfeff ||
	       (code >= 0xfff9 && code <= 0xfffb) || code >= 0xe0000;
}

static bool is_blank(uint32_t code)
{
	return code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0x2028 || code == 0x2029;
}

static bool is_plain(const char *text)
{
	for (; *text; text++)
		if ((unsigned char)*text < 0x20 || (unsigned char)*text >= 0x7f)
			return false;
	return true;
}

const char *scene_clean(struct arena *arena, const char *text)
{
	if (!text)
		return "";
	if (is_plain(text))
		return arena_strdup(arena, text);
	struct strbuf sb = {0};
	struct span rest = span_of(text);
	while (rest.len) {
		uint32_t code;
		size_t len = utf8_next(rest, &code);
		if (len == 0 || (code & 0xfffe) == 0xfffe) {
			strbuf_addstr(&sb, replacement);
			len = len ? len : 1;
		} else if (is_blank(code)) {
			strbuf_addch(&sb, ' ');
		} else if (!is_steering(code)) {
			strbuf_add(&sb, rest.ptr, len);
		}
		rest.ptr += len;
		rest.len -= len;
	}
	return strbuf_into(&sb, arena);
}

static double span_width(struct span text, double size, bool bold)
{
	double sum = 0;
	while (text.len) {
		uint32_t code;
		size_t len = utf8_next(text, &code);
		if (len == 0)
			break;
		sum += width_of((struct span){text.ptr, len}, code);
		text.ptr += len;
		text.len -= len;
	}
	return sum * size * (bold ? bold_factor : 1) / 1000;
}

double scene_text_width(const char *text, double size, bool bold)
{
	return span_width(span_of(text), size, bold);
}

/* The longest start of the text that fits; a base character keeps its combining marks. */
static size_t head_of(struct span text, double width, double size, bool bold)
{
	size_t used = 0;
	double sum = 0;
	while (used < text.len) {
		uint32_t code;
		struct span rest = {text.ptr + used, text.len - used};
		size_t len = utf8_next(rest, &code);
		if (len == 0)
			break;
		sum += span_width((struct span){rest.ptr, len}, size, bold);
		if (sum > width)
			break;
		used += len;
	}
	return used;
}

/* Where the longest end of the text that fits begins; never at a combining mark. */
static size_t tail_of(struct span text, double width, double size, bool bold)
{
	double all = span_width(text, size, bold), sum = 0;
	size_t used = 0;
	while (used < text.len) {
		uint32_t code;
		struct span rest = {text.ptr + used, text.len - used};
		size_t len = utf8_next(rest, &code);
		if (len == 0)
			break;
		double here = span_width((struct span){rest.ptr, len}, size, bold);
		if (here > 0 && all - sum <= width)
			break;
		sum += here;
		used += len;
	}
	return used;
}

const char *scene_shorten(struct arena *arena, const char *text, double size, bool bold,
			  double width)
{
	const char *clean = scene_clean(arena, text);
	if (scene_text_width(clean, size, bold) <= width)
		return clean;
	double room = width - scene_text_width(ellipsis, size, bold);
	struct span all = span_of(clean);
	size_t head = head_of(all, room * 0.6, size, bold);
	double left = room - span_width((struct span){clean, head}, size, bold);
	struct span rest = {clean + head, all.len - head};
	size_t tail = head + tail_of(rest, left, size, bold);
	return arena_printf(arena, "%.*s%s%s", (int)head, clean, ellipsis, clean + tail);
}

struct scene_quad scene_text_box(const struct scene_item *item)
{
	static const double shift[] = {[SCENE_START] = 0, [SCENE_MIDDLE] = 0.5, [SCENE_END] = 1};
	double left = -shift[item->anchor] * item->text_width, right = left + item->text_width;
	double top = -ascent * item->size, bottom = descent * item->size;
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
