/* The timelines of the newest runs: pages of their own, as `show -o FILE.html` writes them. */
#include "base/text/text.h"
#include "cli/query/viewer/viewer.h"
#include "cli/runs/runs.h"
#include "cli/site/site.h"

/* Series that are looked at for each page that is wanted: files of others may be gone. */
enum { TRIES = 4 };

/* The newest run of a series; false if there is none. */
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

/* 1 and the page; 0 if the run's events cannot be read: its file is gone, or has none. */
static int build(struct cli *cli, const struct site *site, const struct site_series *series,
		 struct strbuf *page, struct error *err)
{
	struct arena *arena = &cli->arena;
	const struct site_kernel *kernel = &site->kernels[series->kernel];
	const struct viewer_link links[] = {
		{"Kernels", "../index.html"},
		{kernel->name, arena_printf(arena, "../k/%s.html", kernel->slug)},
		{series->name,
		 arena_printf(arena, "../k/%s.html#%s", kernel->slug, series->anchor)},
		{"Timelines", "index.html"},
	};
	struct loaded_list runs = {0};
	struct error unreadable = {0};
	if (load_newest(cli, series, &runs, err) < 0)
		return -1;
	if (runs.count == 0)
		return 0;
	const struct viewer_request request = {.runs = &runs,
					       .from = NAN,
					       .to = NAN,
					       .links = links,
					       .link_count = sizeof links / sizeof *links};
	return query_viewer_page(cli, &request, page, &unreadable) == 0;
}

static int write_one(struct cli *cli, struct site_files *files, const struct site *site,
		     struct site_series *series, struct error *err)
{
	struct strbuf page = {0};
	int rc = build(cli, site, series, &page, err);
	series->has_timeline = rc > 0;
	if (rc > 0)
		rc = site_files_write(files, arena_printf(&cli->arena, "t/%s.html", series->anchor),
				      strbuf_span(&page), err);
	strbuf_free(&page);
	return rc < 0 ? -1 : 0;
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
		/* As for kernels: each page has an arena. */
		struct arena lasting = cli->arena;
		cli->arena = (struct arena){0};
		int rc = write_one(cli, files, site, &site->series[i], err);
		arena_free(&cli->arena);
		cli->arena = lasting;
		if (rc < 0)
			return -1;
		tries++;
		site->timelines += site->series[i].has_timeline;
		site->without_events += !site->series[i].has_timeline;
	}
	return site->timelines ? site_files_render(files, "site-timelines.html",
						   render_site_timelines(site), "t/index.html", err)
			       : 0;
}
