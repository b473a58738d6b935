/* Rendering: templates by name or file, charts beside the report. */
#include "cli/render.h"

#include <stdio.h>
#include <string.h>

#include "base/embedded.h"
#include "base/file.h"
#include "render/chart.h"
#include "render/template.h"

extern const struct embedded_file template_files[];

static const size_t template_size_limit = 4u << 20;
static const double png_scale = 2;

int cli_check_format(const char *format, bool text, struct error *err)
{
	static const char *const formats[] = {"md", "html", "json"};
	if (text && strcmp(format, "text") == 0)
		return 0;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		if (strcmp(format, formats[i]) == 0)
			return 0;
	return error_set(err, ERR_USAGE, "--format %s: there are %smd, html and json", format,
			 text ? "text, " : "");
}

static const char *built_in(void *context, const char *name)
{
	char path[128];
	(void)context;
	snprintf(path, sizeof path, "templates/%s", name);
	const struct embedded_file *file = embedded_find(template_files, path);
	return file ? file->text : NULL;
}

/* A name without slash and dot is a built-in; anything else a file. */
static int template_text(struct cli *cli, const char *template, const char *format,
			 struct span *text, struct error *err)
{
	if (strchr(template, '/') || strchr(template, '.'))
		return file_read(&cli->arena, template, template_size_limit, text, err);
	const char *name = arena_printf(&cli->arena, "%s.%s", template, format);
	const char *found = built_in(NULL, name);
	if (!found)
		return error_set(
			err, ERR_UNKNOWN_THING,
			"there is no built-in template \"%s\" for the format %s; built in are "
			"report (md, html), contract, devlog and summary (md); a file is named by "
			"its path",
			template, format);
	*text = span_of(found);
	return 0;
}

int cli_render_text(struct cli *cli, const char *template, const char *format,
		    const struct json *data, struct strbuf *out, struct error *err)
{
	struct span text;
	bool html = strcmp(format, "html") == 0;
	if (template_text(cli, template, format, &text, err) < 0)
		return -1;
	return template_render(template, text, data,
			       html ? TEMPLATE_ESCAPE_HTML : TEMPLATE_ESCAPE_MARKDOWN, built_in,
			       NULL, out, err);
}

/* An existing chart file's bytes in the format of the name's ending. */
static int draw(struct cli *cli, const struct chart *chart, const struct json *document, bool dark,
		const char *ending, struct strbuf *out, struct error *err)
{
	struct scene *scene;
	if (chart->draw(&cli->arena, document, dark, &scene, err) < 0)
		return -1;
	if (strcmp(ending, "png") == 0)
		return scene_png(scene, png_scale, out, err);
	if (strcmp(ending, "pdf") == 0)
		return scene_pdf(scene, out, err);
	scene_svg(scene, out);
	return 0;
}

int cli_draw_chart(struct cli *cli, const struct chart *chart, const struct json *document,
		   bool dark, const char *output, struct error *err)
{
	const char *dot = strrchr(output, '.');
	const char *ending = dot ? dot + 1 : "";
	struct strbuf sb = {0};
	if (strcmp(ending, "svg") != 0 && strcmp(ending, "png") != 0 && strcmp(ending, "pdf") != 0)
		return error_set(err, ERR_USAGE, "%s must end in .svg, .png or .pdf",
				 output);
	int rc = draw(cli, chart, document, dark, ending, &sb, err);
	if (rc == 0)
		rc = file_write(output, strbuf_span(&sb), err);
	strbuf_free(&sb);
	return rc;
}

int cli_write_chart(struct cli *cli, const char *name, const struct json *document, bool dark,
		    const char *output, struct error *err)
{
	const struct chart *chart = chart_find(name);
	if (!chart)
		return error_set(err, ERR_UNKNOWN_THING, "there is no chart \"%s\"", name);
	return cli_draw_chart(cli, chart, document, dark, output, err);
}

/* "out/report.md" -> "out/report-roofline.svg" */
static const char *beside(struct arena *arena, const char *output, const char *chart,
			  const char *suffix)
{
	const char *slash = strrchr(output, '/');
	const char *dot = strrchr(output, '.');
	size_t stem = dot && (!slash || dot > slash) ? (size_t)(dot - output) : strlen(output);
	return arena_printf(arena, "%.*s-%s%s.svg", (int)stem, output, chart, suffix);
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The chart as SVG text in the document, for light and dark pages. */
static void set_inline(struct cli *cli, const struct chart *chart, const struct json *document,
		       struct json *object)
{
	for (int dark = 0; dark < 2; dark++) {
		struct error why = {0};
		struct strbuf sb = {0};
		if (draw(cli, chart, document, dark, "svg", &sb, &why) == 0)
			json_set_text(&cli->arena, object,
				      arena_printf(&cli->arena, "%s_svg%s", chart->name,
						   dark ? "_dark" : ""),
				      strbuf_text(&sb));
		strbuf_free(&sb);
	}
}

/* The chart for light and dark beside the report. */
static int write_beside(struct cli *cli, const struct chart *chart, const struct json *document,
			const char *output, struct json *object, struct error *err)
{
	const char *path = beside(&cli->arena, output, chart->name, "");
	const char *dark = beside(&cli->arena, output, chart->name, "-dark");
	if (cli_write_chart(cli, chart->name, document, false, path, err) < 0 ||
	    cli_write_chart(cli, chart->name, document, true, dark, err) < 0)
		return -1;
	json_set_text(&cli->arena, object, chart->name, base_name(path));
	json_set_text(&cli->arena, object, arena_printf(&cli->arena, "%s_dark", chart->name),
		      base_name(dark));
	return 0;
}

/* Pages carry their charts, Markdown files have them beside; on standard output there are none.
 * Charts that cannot be drawn (no roofs, no engines) are left out: the report stays whole. */
static int add_charts(struct cli *cli, struct json *document, bool page, const char *output,
		      struct error *err)
{
	if (!page && (!output || strcmp(output, "-") == 0))
		return 0;
	struct json *object = json_set_object(&cli->arena, document, "charts");
	for (const struct chart *chart = charts; chart->name; chart++) {
		struct error why = {0};
		struct scene *scene;
		if (chart->draw(&cli->arena, document, false, &scene, &why) < 0)
			continue;
		if (page)
			set_inline(cli, chart, document, object);
		else if (write_beside(cli, chart, document, output, object, err) < 0)
			return -1;
	}
	return 0;
}

int cli_render(struct cli *cli, struct json *document, const char *format, const char *template,
	       const char *output, struct error *err)
{
	struct strbuf sb = {0};
	int rc = 0;
	if (strcmp(format, "json") == 0) {
		json_write(&sb, document, false);
		strbuf_addch(&sb, '\n');
	} else {
		rc = add_charts(cli, document, strcmp(format, "html") == 0, output, err);
		if (rc == 0)
			rc = cli_render_text(cli, template ? template : "report", format, document,
					     &sb, err);
	}
	if (rc == 0)
		rc = cli_output(output, strbuf_span(&sb), err);
	strbuf_free(&sb);
	return rc;
}
