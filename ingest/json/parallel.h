/*
 * The second thread of json_stream.h, for one large document. It reads ahead of
 * the reader: from a place in the document that looks like the end of a record,
 * guessed to lie in the array of the section that the reader is in. What it
 * reads goes into a log (json_log.h), until the reader arrives.
 *
 * When the reader comes to the end of an item at just that place and in that
 * section, the guess was right, and all that was read from there on is what the
 * reader would have read itself: it hands over the records of the log, and goes
 * on where the log ends. Else the log is thrown away. Either way the thread is
 * sent ahead again. Whatever is not an array of records, or wrong, ends the log
 * before it, so that the reader alone deals with it.
 */
#ifndef INGEST_JSON_PARALLEL_H
#define INGEST_JSON_PARALLEL_H

#include "ingest/json/internal.h"

/* For tests, which make happen what is rare. */
enum json_ahead_event {
	JSON_AHEAD_SENT,     /* by the reader: the other thread has an order */
	JSON_AHEAD_STOPPING, /* by the reader: this order and those before are not wanted any more
			      */
	JSON_AHEAD_BEGINS,   /* by the other thread, from here on */
	JSON_AHEAD_GUESSES,  /* before it reads from there */
	JSON_AHEAD_LOOKS,    /* between two items */
	JSON_AHEAD_ENDS
};

struct json_ahead_rules {
	size_t distance; /* how far ahead, in bytes */
	size_t log;      /* how many bytes of records are kept until the reader arrives */
	size_t step;     /* bytes between two looks at the other thread */
	/* Called at each event, with the number of the order; NULL: nobody wants to know. */
	void (*pause)(enum json_ahead_event event, unsigned order);
};

struct json_ahead;

/* For a reader that has read nothing. NULL when there is nothing to gain. */
struct json_ahead *json_ahead_new(struct json_reading *reader, struct input *input);
/* NULL is fine. */
void json_ahead_free(struct json_ahead *ahead);

#endif
