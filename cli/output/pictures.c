/* Pictures in files next to a report, and their names in its document. */
#include "cli/output/pictures.h"

#include "render/chart/series/trend.h"
#include "render/document/key.h"
#include "render/scene/scene.h"

/* "out/report.md" -> "out/report-roofline.svg" */
static const char *sibling_path(struct arena *arena, const char *output, const char *chart)
{
	const char *slash = strrchr(output, '/');
	const char *dot = strrchr(output, '.');
	size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - output) : strlen(output);
	return arena_printf(arena, "%.*s-%s.svg", (int)stem, output, chart);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The URL of a file, safe in an attribute: every byte outside RFC 3986's unreserved characters
 * becomes %XX. Without a base the URL is relative to the report, which is in the same folder. */
static const char *url_of(struct arena *arena, const char *base, const char *name)
{
	struct strbuf sb = {0};
	size_t len = base ? strlen(base) : 0;
	if (base)
		strbuf_addf(&sb, "%s%s", base, len && base[len - 1] == '/' ? "" : "/");
	for (const unsigned char *c = (const unsigned char *)name; *c; c++)
		if ((*c >= '0' && *c <= '9') || ((*c | 32) >= 'a' && (*c | 32) <= 'z') ||
		    strchr("-._~", *c))
			strbuf_addch(&sb, (char)*c);
		else
			strbuf_addf(&sb, "%%%02X", *c);
	return strbuf_into(&sb, arena);
}

/* Adds a picture, and its names to the document: "roofline", "roofline_url". */
static void add_picture(struct cli *cli, struct json *document, const struct rendering *rendering,
			const char *name, struct strbuf *svg, struct output_pictures *pictures)
{
	struct arena *arena = &cli->arena;
	struct json *object = json_get(document, KEY(charts));
	struct strbuf file = {0};
	for (const char *p = name; *p; p++)
		strbuf_addch(&file, *p == '_' ? '-' : *p);
	const char *path = sibling_path(arena, rendering->output, strbuf_text(&file));
	size_t len = svg->len;
	*arena_add(arena, pictures) = (struct output_picture){path, {strbuf_into(svg, arena), len}};
	json_set_text(arena, object, name, base_name(path));
	json_set_text(arena, object, arena_printf(arena, "%s_url", name),
		      url_of(arena, rendering->url_base, base_name(path)));
	strbuf_free(&file);
}

void output_pictures_draw(struct cli *cli, const struct chart *chart, struct json *document,
			  const struct rendering *rendering, struct output_pictures *pictures)
{
	struct error why = {0};
	for (int dark = 0; dark < 2; dark++) {
		struct strbuf svg = {0};
		if (output_draw(cli, chart, document, dark, "svg", &svg, &why) < 0) {
			strbuf_free(&svg);
			return;
		}
		const char *name =
			arena_printf(&cli->arena, "%s%s", chart->name, dark ? "_dark" : "");
		add_picture(cli, document, rendering, name, &svg, pictures);
	}
}

void output_pictures_worst(struct cli *cli, struct json *document,
			   const struct rendering *rendering, struct output_pictures *pictures)
{
	static const char *const names[] = {"trend", "trend_dark", "trend_narrow",
					    "trend_narrow_dark"};
	for (unsigned i = 0; i < sizeof names / sizeof *names; i++) {
		struct strbuf svg = {0};
		struct scene *scene = chart_trend_first(&cli->arena, document, i & 1, i & 2);
		if (!scene)
			return;
		scene_svg(scene, &svg);
		add_picture(cli, document, rendering, names[i], &svg, pictures);
	}
}

int output_pictures_write(const struct cli *cli, const struct output_pictures *pictures,
			  struct error *err)
{
	for (size_t i = 0; i < pictures->count; i++)
		if (cli_write(cli, pictures->items[i].path, pictures->items[i].bytes, err) < 0)
			return -1;
	return 0;
}
