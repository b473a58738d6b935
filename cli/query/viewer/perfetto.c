/* Writes the events of a run for Perfetto. */
#include "base/text/text.h"
#include "cli/output/output.h"
#include "cli/query/viewer/events.h"
#include "cli/query/viewer/viewer.h"
#include "render/chart/trace/perfetto.h"

int query_viewer_write_perfetto(struct cli *cli, const struct viewer_request *request,
				struct error *err)
{
	struct arena *arena = &cli->arena;
	struct trace *trace;
	struct strbuf out = {0};
	if (query_viewer_events(cli, request->runs, &trace, err) < 0)
		return -1;
	const struct perfetto_request asked = {.title = query_viewer_title(arena, request->runs),
					       .from = request->from,
					       .to = request->to};
	struct perfetto_counts counts = render_trace_perfetto(trace, &asked, &out);
	if (counts.events == 0) {
		strbuf_free(&out);
		return error_set(err, ERR_USAGE, "%.300s has no events in this part of its time",
				 request->runs->items[0].stored.run->source);
	}
	if (counts.rounded)
		cli_note(cli, "times are rounded to nanoseconds, the unit of Perfetto; start_ps "
			      "and duration_ps of each event are exact");
	if (counts.crowded)
		cli_warn(cli, "%s skipped: more than 512 run at one time on their track",
			 quantity_count_text(arena, counts.crowded, "event was", "events were"));
	if (trace->more)
		cli_warn(cli, "%s not read: without a possible time, or too many",
			 quantity_count_text(arena, trace->more, "event was", "events were"));
	return cli_output(cli, request->output, &out, err);
}
