/*
 * A native Neuron trace for people and programs: its header and the sums over its records as text
 * or JSON, its records as JSON lines, its programs as assembly text. docs/formats/ntff-dump.md
 * lists the fields of both JSON forms.
 *
 * model/ntff/ provides the contents; this room neither reads a file nor sums records.
 *
 * Never add the reading of traces.
 */
#pragma once

#include "base/json/json.h"
#include "base/base.h"
#include "model/ntff/trace.h"
#include "render/terminal/terminal.h"

struct ntff_view {
	const struct ntff_summary *summary;
	const char *name; /* of the file */
	bool shows_path;  /* show the path of the NEFF on the captured machine, which is private */
};

/* Prints sections of lines and tables that fit 80 columns. */
void render_ntff_text(const struct ntff_view *view, const struct terminal *terminal,
		      struct strbuf *out);
/* The summary with all its numbers as one document in the summary's arena. Integers above 2^53 are
 * strings of digits, because a double cannot represent them exactly. */
struct json *render_ntff_json(const struct ntff_view *view);

/* Each adds one record as one line of JSON. */
void render_ntff_instruction(struct strbuf *out, const struct ntff_instruction *one);
void render_ntff_transfer(struct strbuf *out, const struct ntff_transfer *one);
void render_ntff_event(struct strbuf *out, const struct ntff_event *one);
void render_ntff_throttle(struct strbuf *out, const struct ntff_throttle *one);

/* How often and when a word of a program ran. */
struct ntff_ran {
	uint64_t times;
	int64_t begin, duration; /* ps, of the first execution of the word */
};

/* How many words of the program to show: addresses in records cannot exceed this. */
uint64_t render_ntff_program_words(const struct ntff_stream *stream);
/* Prints the head of an engine's program. */
void render_ntff_program_title(struct strbuf *out, const struct terminal *terminal,
			       const struct ntff_core *core, int engine);
/* Prints one word: its address, how often it ran, and when first. */
void render_ntff_program_word(struct strbuf *out, const struct terminal *terminal, uint64_t pc,
			      const unsigned char *word, const struct ntff_ran *ran);
