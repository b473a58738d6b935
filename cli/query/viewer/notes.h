/* What a page leaves out, in sentences. */
#pragma once

#include "model/timeline/trace/pack.h"

enum { NOTES = 20 };

struct viewer_notes {
	struct arena *arena;
	const char *of; /* of which run the notes to come are; "": the page has only one */
	const char *items[NOTES];
	const char *texts[NOTES]; /* without the name of the run */
	size_t count;
};

/* Adds a sentence; NULL: nothing. */
void query_viewer_note(struct viewer_notes *notes, const char *text);
/* Adds each thing that the file has and the page has not. */
void query_viewer_notes(struct viewer_notes *notes, const struct trace_packed *packed);
