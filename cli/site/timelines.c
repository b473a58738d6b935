/* The timelines of the newest runs, alone and next to what they are compared with: pages of their
 * own, as `show -o FILE.html` and `compare A B -o FILE.html` write them. */
#include "base/text/text.h"
#include "cli/query/viewer/viewer.h"
#include "cli/runs/runs.h"
#include "cli/site/site.h"

enum {
	TRIES = 4,  /* series that are looked at for each page that is wanted: files of others may
		       be gone */
	SHRINK = 3, /* of the pages of two runs: below 2 MB each */
	LINKS = 4
};

struct timelines {
	struct cli *cli;
	struct site_files *files;
	const struct site *site;
	struct site_series *series;
};

/* Adds the newest run of a series, if there is one. */
static int load_newest(struct cli *cli, const struct site_series *series, struct loaded_list *runs,
		       struct error *err)
{
	struct loaded_list all = {0};
	struct run_query query = {.series = series->key, .clean_only = !series->dirty};
	if (!series->revision)
		return 0;
	query.commit = series->revision->oid;
	if (runs_load_facts(cli, &query, &all, err) < 0)
		return -1;
	runs_median_per_series(cli, &all);
	for (size_t i = 0; i < all.count && runs->count == 0; i++)
		if (all.items[i].stored.run->dirty == series->dirty)
			runs_loaded_add(cli, runs, &all.items[i]);
	return 0;
}

static const char *page_name(const struct timelines *of, const char *kind)
{
	return arena_printf(&of->cli->arena, "%s%s.html", of->series->anchor, kind);
}

/* Fills in where the page leads. */
static void add_links(const struct timelines *of, struct viewer_request *request)
{
	struct arena *arena = &of->cli->arena;
	struct viewer_link *links = arena_array(arena, LINKS, sizeof *links);
	const struct site_series *series = of->series;
	const struct site_kernel *kernel = &of->site->kernels[series->kernel];
	const char *page = arena_printf(arena, "../k/%s.html", kernel->slug);
	links[0] = (struct viewer_link){"Kernels", "../index.html"};
	links[1] = (struct viewer_link){kernel->name, page};
	links[2] = (struct viewer_link){series->name,
					arena_printf(arena, "%s#%s", page, series->anchor)};
	links[3] = (struct viewer_link){"Timelines", "index.html"};
	request->links = links;
	request->link_count = LINKS;
}

/* Writes the page, unless the events of a run cannot be read: its file is gone, or has none.
 * Returns 1, 0 if it wrote no page, or -1. */
static int write_page(const struct timelines *of, struct viewer_request *request, const char *kind,
		      struct error *err)
{
	struct strbuf page = {0};
	struct error unreadable = {0};
	int rc = 0;
	request->from = request->to = NAN;
	add_links(of, request);
	if (query_viewer_page(of->cli, request, &page, &unreadable) == 0) {
		const char *name = arena_printf(&of->cli->arena, "t/%s", page_name(of, kind));
		rc = site_files_write(of->files, name, strbuf_span(&page), err) < 0 ? -1 : 1;
	}
	strbuf_free(&page);
	return rc;
}

/* --- two runs --- */

/* A file has been written again since, or was ingested twice. */
static bool is_of_one_file(const struct loaded_list *a, const struct loaded_list *b)
{
	return span_text_eq(a->items[0].stored.run->source, b->items[0].stored.run->source);
}

/* The same, with the newest run next to that of another commit. */
static int write_pair(const struct timelines *of, const struct revision *baseline,
		      struct error *err)
{
	struct cli *cli = of->cli;
	struct arena *arena = &cli->arena;
	struct loaded_list runs = {0}, before = {0};
	if (load_newest(cli, of->series, &runs, err) < 0 ||
	    runs_load_baseline(cli, baseline->oid, of->series->key, &before, err) < 0)
		return -1;
	runs_median_per_series(cli, &before);
	if (runs.count == 0 || before.count == 0 || is_of_one_file(&runs, &before))
		return 0;
	if (runs_load_details(cli, &runs, err) < 0)
		return -1;
	const char *newest = of->series->revision->oid;
	const struct viewer_link alone = {arena_printf(arena, "Only %.10s", newest),
					  page_name(of, "")};
	struct viewer_request request = {
		.runs = &runs,
		.baseline = &before,
		.name = arena_printf(arena, "%.10s", newest),
		.baseline_name = arena_printf(arena, "%.10s", baseline->oid),
		.other = &alone,
		.shrink = SHRINK,
		.more = arena_printf(arena,
				     "The page of rooflog compare %.10s %.10s SERIES -o FILE.html "
				     "has room for three times as many events.",
				     baseline->oid, newest)};
	return write_page(of, &request, "-against", err);
}

/* The last commit before the change that was judged, else the newest of the record that the gate
 * compares with. */
static int write_against(const struct timelines *of, struct error *err)
{
	const struct comparison *one = of->series->comparison;
	if (!one)
		return 0;
	const struct revision *baselines[] = {one->change ? one->last_before : NULL,
					      one->series->baseline_revision};
	for (size_t i = 0; i < sizeof baselines / sizeof *baselines; i++) {
		int rc = baselines[i] ? write_pair(of, baselines[i], err) : 0;
		if (rc > 0)
			of->series->against = baselines[i];
		if (rc != 0)
			return rc < 0 ? -1 : 0;
	}
	return 0;
}

/* --- one run --- */

static int write_alone(const struct timelines *of, struct error *err)
{
	struct cli *cli = of->cli;
	struct loaded_list runs = {0};
	struct viewer_link against = {0};
	struct viewer_request request = {.runs = &runs};
	if (load_newest(cli, of->series, &runs, err) < 0)
		return -1;
	if (runs.count == 0)
		return 0;
	if (of->series->against) {
		against.text = arena_printf(&cli->arena, "Against %.10s", of->series->against->oid);
		against.href = page_name(of, "-against");
		request.other = &against;
	}
	int rc = write_page(of, &request, "", err);
	of->series->has_timeline = rc > 0;
	return rc < 0 ? -1 : 0;
}

/* As for kernels: each page has an arena. */
static int in_own_arena(const struct timelines *of,
			int (*write)(const struct timelines *of, struct error *err),
			struct error *err)
{
	struct arena lasting = of->cli->arena;
	of->cli->arena = (struct arena){0};
	int rc = write(of, err);
	arena_free(&of->cli->arena);
	of->cli->arena = lasting;
	return rc;
}

int site_write_timelines(struct cli *cli, struct site_files *files, struct site *site, size_t limit,
			 struct error *err)
{
	size_t tries = 0;
	for (size_t i = 0; i < site->series_count; i++) {
		if (site->timelines == limit || tries == limit * TRIES) {
			site->untried = site->series_count - i;
			break;
		}
		const struct timelines of = {cli, files, site, &site->series[i]};
		if (in_own_arena(&of, write_against, err) < 0 ||
		    in_own_arena(&of, write_alone, err) < 0)
			return -1;
		tries++;
		site->timelines += site->series[i].has_timeline;
		site->without_events += !site->series[i].has_timeline;
	}
	return site->timelines ? site_files_render(files, "site-timelines.html",
						   render_site_timelines(site), "t/index.html", err)
			       : 0;
}
