/*
 * A store as text: JSON, one commit, run, edit or baseline a line (docs/schema/store). Nothing is
 * lost: an import into an empty store makes the same store. The last line has counts and the
 * SHA-256 of all lines before it, so a part of a file is not taken for the whole.
 *
 * Never add filters: store_wish has them.
 */
#pragma once

#include "base/hash/hash.h"
#include "db/store/exchange.h"

#define JSONL_SCHEMA "rooflog-store/1"

struct jsonl_amount {
	size_t commits, runs, edits, baselines;
	size_t set_aside; /* damaged runs, which are left out */
};

/* Lines on their way to `out`, whose beginning goes to the drain (NULL: it stays whole). The fields
 * are private, but for `amount`. */
struct jsonl_writer {
	struct strbuf *out;
	const struct strbuf_drain *drain;
	struct sha256 sum;
	struct jsonl_amount amount;
};
/* Begins with the schema's name; without a head, the lines are those of a part. */
struct jsonl_writer jsonl_begin(struct strbuf *out, const struct strbuf_drain *drain, bool head);
/* What takes the lines. */
struct store_taker jsonl_taker(struct jsonl_writer *writer);
/* Adds the lines of a part, which stay there. */
void jsonl_append(struct jsonl_writer *writer, const struct jsonl_writer *part);
void jsonl_end(struct jsonl_writer *writer);

/* All of a store. */
int jsonl_export(struct store *store, const struct store_wish *wish, struct strbuf *out,
		 const struct strbuf_drain *drain, struct jsonl_amount *amount, struct error *err);

/* Lines of one file on their way to a taker, which sees nothing that has no place in a store: ids,
 * times and positions are checked. Numbers need not be possible: a store may hold others, which its
 * reader leaves unknown. */
struct jsonl_reader;
/* `name` of the file is for messages. The reader lives in the arena. */
struct jsonl_reader *jsonl_reader_new(struct arena *arena, const struct store_taker *taker,
				      const char *name);
/* A line without its end. ERR_FORMAT, "NAME:LINE: ..." */
int jsonl_read_line(struct jsonl_reader *reader, struct span line, struct error *err);
/* After the last line: whether the file is complete. */
int jsonl_read_end(struct jsonl_reader *reader, struct error *err);
/* All lines of a text. */
int jsonl_read_text(struct span text, const struct store_taker *taker, const char *name,
		    struct error *err);
/* All of a file; path "-" is standard input. ERR_SYSTEM if it cannot be read. */
enum { JSONL_LINE_LIMIT = 64 << 20 }; /* bytes */
int jsonl_read_file(const char *path, const struct store_taker *taker, struct error *err);
