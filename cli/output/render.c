/* Renders reports: templates by name or file, charts in the page or as files next to the report. */
#include "cli/output/render.h"

#include <strings.h>

#include "render/document/key.h"

#include "base/embedded.h"
#include "cli/config/trust/trust.h"
#include "cli/output/pictures.h"
#include "base/system/system.h"
#include "render/markup/markup.h"
#include "render/chart/chart.h"
#include "render/chart/series/spark.h"
#include "render/chart/series/trend.h"
#include "render/scene/palette.h"
#include "render/scene/scene.h"
#include "render/vocabulary/vocabulary.h"

extern const struct embedded_file template_files[];

/* Bytes. A guard against a wrong path; the largest built-in template has a few kilobytes. */
static const size_t template_size_limit = 4u << 20;
/* Pixels per point: sharp on displays with double density. */
static const double png_scale = 2;

int output_files_add(struct cli *cli, struct targets *targets, const char *what, const char *path,
		     struct error *err)
{
	const char *target;
	if (!path || strcmp(path, "-") == 0)
		return 0;
	if (file_target(&cli->arena, path, &target, err) < 0)
		return -1;
	if (!target)
		return 0;
	for (size_t i = 0; i < targets->count; i++)
		if (strcmp(targets->items[i].path, target) == 0)
			return error_set(err, ERR_USAGE,
					 "%s and %s would both write to %s: choose different files",
					 targets->items[i].what, what, path);
	assert(targets->count < TARGETS_LIMIT);
	targets->items[targets->count].what = what;
	targets->items[targets->count++].path = target;
	return 0;
}

int output_remove_brought(struct cli *cli, const char *path, struct error *err)
{
	if (cli_is_standard_output(path) || !file_exists(path) || !cli_is_brought(cli, path))
		return 0;
	if (!cli_is_committed(cli, path))
		return error_set(err, ERR_USAGE,
				 "git tracks %s, and it differs from HEAD; the output would "
				 "replace it: commit or remove it, or write elsewhere",
				 path);
	file_remove(path);
	if (file_exists(path))
		return error_set(
			err, ERR_SYSTEM,
			"git tracks %s, and it cannot be removed to make room for the output",
			path);
	cli_warn(cli, "git tracks %s: it is removed to make room for the output", path);
	return 0;
}

static const char *built_in(void *context, const char *name)
{
	struct arena *arena = context;
	const struct embedded_file *file = embedded_find(template_files, name);
	bool is_text = file && arena && !strstr(name, ".css") && !strstr(name, ".js");
	return is_text ? vocabulary_page(arena, file->text) : file ? file->text : NULL;
}

static int read_template(struct cli *cli, const char *path, struct span *text, struct error *err)
{
	bool found;
	if (trust_read_named(cli, path, template_size_limit, &found, text, err) < 0)
		return -1;
	return found ? 0 : file_read(&cli->arena, path, template_size_limit, text, err);
}

/* A template: a built-in one if the name has neither slash nor dot, else a file. */
static int template_text(struct cli *cli, const char *template, const char *format,
			 struct span *text, struct error *err)
{
	if (strchr(template, '/') || strchr(template, '.'))
		return read_template(cli, template, text, err);
	const char *name = arena_printf(&cli->arena, "%s.%s", template, format);
	const char *found = built_in(&cli->arena, name);
	if (!found)
		return error_set(err, ERR_UNKNOWN_THING,
				 "no built-in template \"%s\" for format %s; for a template file, "
				 "give a path with a slash or a dot",
				 template, format);
	*text = span_of(found);
	return 0;
}

static int render_template(struct cli *cli, const struct rendering *rendering,
			   const struct json *data, const struct strbuf_drain *drain,
			   struct strbuf *out, struct error *err)
{
	bool html = strcmp(rendering->format, "html") == 0;
	bool chinese = vocabulary_spoken() == LANGUAGE_CHINESE;
	struct template_call call = {
		.name = rendering->template,
		.data = data,
		.escape = html ? TEMPLATE_ESCAPE_HTML : TEMPLATE_ESCAPE_MARKDOWN,
		.partial = built_in,
		.context = &cli->arena,
		.drain = chinese ? NULL : drain,
	};
	if (template_text(cli, rendering->template, rendering->format, &call.text, err) < 0)
		return -1;
	int rc = template_run(&call, out, err);
	if (rc == 0)
		vocabulary_close_percents(out);
	return rc;
}

int output_render_text(struct cli *cli, const char *template, const char *format,
		       const struct json *data, struct strbuf *out, struct error *err)
{
	const struct rendering rendering = {.template = template, .format = format};
	return render_template(cli, &rendering, data, NULL, out, err);
}

int output_choose_language(struct cli *cli, const char *language, struct error *err)
{
	if (cli_load_config(cli, err) < 0)
		return -1;
	cli->language = language;
	return 0;
}

bool output_is_chinese(const struct cli *cli)
{
	return cli->language ? strcmp(cli->language, "zh") == 0 : cli->settings.publication.chinese;
}

void output_speak(const struct cli *cli, bool people)
{
	vocabulary_speak(people && output_is_chinese(cli) ? LANGUAGE_CHINESE : LANGUAGE_ENGLISH);
}

int output_draw(struct cli *cli, const struct chart *chart, const struct json *document, bool dark,
		const char *ending, struct strbuf *out, struct error *err)
{
	const struct chart_look look = {.dark = dark};
	struct scene *scene;
	if (chart->draw(&cli->arena, document, &look, &scene, err) < 0)
		return -1;
	if (strcasecmp(ending, "png") == 0)
		return scene_png(scene, png_scale, out, err);
	if (strcasecmp(ending, "pdf") == 0)
		return scene_pdf(scene, out, err);
	scene_svg(scene, out);
	return 0;
}

/* The ending of a picture; "svg" on standard output. */
static const char *ending_of(const char *path)
{
	const char *dot = strrchr(path, '.');
	return cli_is_standard_output(path) ? "svg" : dot ? dot + 1 : "";
}

int output_check_picture(const char *output, struct error *err)
{
	const char *ending = ending_of(output);
	if (strcasecmp(ending, "svg") != 0 && strcasecmp(ending, "png") != 0 &&
	    strcasecmp(ending, "pdf") != 0)
		return error_set(err, ERR_USAGE, "%s must end in .svg, .png or .pdf", output);
	return 0;
}

int output_draw_chart(struct cli *cli, const char *name, const struct json *document, bool dark,
		      const char *output, struct strbuf *out, struct error *err)
{
	const struct chart *chart = chart_find(name);
	if (!chart)
		return error_set(err, ERR_UNKNOWN_THING, "unknown chart \"%s\"", name);
	if (output_check_picture(output, err) < 0)
		return -1;
	return output_draw(cli, chart, document, dark, ending_of(output), out, err);
}

int output_write_chart(struct cli *cli, const char *name, const struct json *document, bool dark,
		       const char *output, struct error *err)
{
	struct strbuf sb = {0};
	int rc = output_draw_chart(cli, name, document, dark, output, &sb, err);
	if (rc == 0)
		rc = cli_write(cli, output, strbuf_span(&sb), err);
	strbuf_free(&sb);
	return rc;
}

/* Puts the chart into the document as SVG text, for light and dark pages of a user's template. */
static void set_inline(struct cli *cli, const struct chart *chart, const struct json *document,
		       struct json *object)
{
	struct arena *arena = &cli->arena;
	struct error why = {0};
	struct strbuf sb = {0};
	for (int dark = 0;
	     dark < 2 && output_draw(cli, chart, document, dark, "svg", &sb, &why) == 0; dark++) {
		const char *suffix = dark ? "_dark" : "";
		json_set_text(arena, object, arena_printf(arena, "%s_svg%s", chart->name, suffix),
			      strbuf_text(&sb));
		strbuf_reset(&sb);
	}
	strbuf_free(&sb);
}

/* Adds the colors for charts that take them from the page. */
static void set_colours(struct cli *cli, struct json *object)
{
	struct strbuf sb = {0};
	palette_add_css(&sb);
	json_set_text(&cli->arena, object, "colours", strbuf_text(&sb));
	strbuf_free(&sb);
}

static bool is_shown(const struct rendering *rendering, const char *name)
{
	const char *const *shown = rendering->charts;
	while (shown && *shown && strcmp(*shown, name) != 0)
		shown++;
	return !shown || *shown;
}

/* Pages contain their charts. The built-in ones draw each in the page's colors, for wide and for
 * narrow screens. */
static void add_page_charts(struct cli *cli, struct json *document,
			    const struct rendering *rendering)
{
	struct arena *arena = &cli->arena;
	struct json *object = json_set_object(arena, document, "charts");
	struct json *pictures =
		rendering->charts ? json_set_array(arena, object, "pictures") : NULL;
	/* The built-in pages have sparklines. */
	if (pictures || chart_trend_inline(arena, document))
		set_colours(cli, object);
	spark_rows_inline(arena, document);
	for (const struct chart *chart = charts; chart->name; chart++) {
		if (!is_shown(rendering, chart->name))
			continue;
		if (pictures)
			chart_add_picture(arena, pictures, chart, 0, document);
		else
			set_inline(cli, chart, document, object);
	}
}

/* Markdown files have their charts as files next to them, and Markdown on standard output has
 * none. */
static void add_chart_files(struct cli *cli, struct json *document,
			    const struct rendering *rendering, struct output_pictures *pictures)
{
	const char *output = rendering->output;
	if (!output || strcmp(output, "-") == 0 || (rendering->limit && !rendering->url_base))
		return;
	json_set_object(&cli->arena, document, "charts");
	if (rendering->worst &&
	    json_truth(json_get(json_get(document, KEY(gate)), KEY(shown)), KEY(moved)))
		output_pictures_worst(cli, document, rendering, pictures);
	for (const struct chart *chart = charts; chart->name; chart++)
		if (is_shown(rendering, chart->name))
			output_pictures_draw(cli, chart, document, rendering, pictures);
}

struct render_call {
	struct cli *cli;
	const struct rendering *rendering;
	const struct strbuf_drain *drain; /* NULL: the text is needed whole */
};

static int render_text(void *context, const struct json *document, struct strbuf *out,
		       struct error *err)
{
	const struct render_call *call = context;
	return render_template(call->cli, call->rendering, document, call->drain, out, err);
}

int output_render(struct cli *cli, struct json *document, const struct rendering *rendering,
		  struct error *err)
{
	struct strbuf sb = {0};
	struct cli_stream stream = {.cli = cli, .path = rendering->output};
	const struct strbuf_drain drain = cli_drain(&stream);
	struct render_call call = {cli, rendering, rendering->limit ? NULL : &drain};
	struct output_pictures pictures = {0};
	if (strcmp(rendering->format, "json") == 0)
		return cli_output_json(cli, rendering->output, document, err);
	/* Charts that cannot be drawn (no roofs, no engines) are left out: the report is complete.
	 */
	if (strcmp(rendering->format, "html") == 0)
		add_page_charts(cli, document, rendering);
	else
		add_chart_files(cli, document, rendering, &pictures);
	int rc = rendering->limit ? size_limit_fit(&cli->arena, document, rendering->limit,
						   render_text, &call, &sb, err)
				  : render_text(&call, document, &sb, err);
	/* The text refers to the pictures, so it takes its place after them. */
	if (rc == 0 && output_pictures_write(cli, &pictures, err) == 0)
		return cli_output_rest(&stream, &sb, err);
	cli_output_abandon(&stream, &sb);
	return -1;
}
