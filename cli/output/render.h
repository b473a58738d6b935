/* The files of a command: which it will write, and how the report document becomes one. */
#pragma once

#include "cli/context.h"
#include "render/chart/chart.h"

/* The files that one command will write. They are checked before anything is loaded: two outputs
 * must not share a file, and the folder of each must be writable. */
enum { TARGETS_LIMIT = text_list_limit + 2 };

struct targets {
	struct {
		const char *what, *path;
	} items[TARGETS_LIMIT];
	size_t count;
};

/* Adds a file. `what` names the output in messages ("--output"). Standard output and anything but a
 * regular file may be named more than once: the outputs follow each other. */
int output_files_add(struct cli *cli, struct targets *targets, const char *what, const char *path,
		     struct error *err);

/* Removes what git tracks in the place of an output, a file or a link, with a warning. To be called
 * before anything is judged: a command that fails writes nothing, and a job that goes on must not
 * find there what a change brought. A file with edits that are not committed stays: an error. */
int output_remove_brought(struct cli *cli, const char *path, struct error *err);

struct rendering {
	const char *format;   /* "md", "html", "json" */
	const char *template; /* a built-in name ("report", "contract" ...), or a user's file */
	const char *output;   /* NULL: standard output */
	const char *const *
		charts; /* names of the charts in the template, NULL at the end; NULL: all charts */
	bool worst;     /* with the trend of the worst series in files */
	size_t limit;   /* maximum bytes of the text (render/markup/size_limit.h); 0: no limit */
	/* Base URL of the published charts; NULL: next to the text. A text with a limit is
	 * published elsewhere than its file, so it has charts only with a base URL. */
	const char *url_base;
};

/* Renders the document and writes it. Charts go into the page (HTML) or into files next to the
 * output (Markdown). Adds members about charts to the document. */
int output_render(struct cli *cli, struct json *document, const struct rendering *rendering,
		  struct error *err);

/* Renders a template over `data` into `out`: a built-in name, or a file. */
int output_render_text(struct cli *cli, const char *template, const char *format,
		       const struct json *data, struct strbuf *out, struct error *err);

/* Chooses the language of what people read, "en" or "zh"; NULL: that of [project] language. */
int output_choose_language(struct cli *cli, const char *language, struct error *err);
/* Whether it is Chinese. */
bool output_is_chinese(const struct cli *cli);
/* From now on, texts are in the chosen language if people read them, else in English. */
void output_speak(const struct cli *cli, bool people);

/* Draws one chart as SVG, PNG or PDF, by the ending of `output`, into `out`. Writes no file. */
int output_draw_chart(struct cli *cli, const char *chart, const struct json *document, bool dark,
		      const char *output, struct strbuf *out, struct error *err);
/* The same, into the file `output`. */
int output_write_chart(struct cli *cli, const char *chart, const struct json *document, bool dark,
		       const char *output, struct error *err);
/* Checks the ending of a picture's file name, before anything is loaded. Returns 0 or -1. */
int output_check_picture(const char *output, struct error *err);
