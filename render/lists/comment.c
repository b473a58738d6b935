/* What became of a comment, and of a message. */
#include "render/lists/lists.h"

#include "render/document/document.h"

struct json *render_comment_json(struct arena *arena, const struct comment_row *row, bool dry_run)
{
	struct json *document = document_begin(arena, SCHEMA(comment));
	json_set_bool(arena, document, KEY(dry_run), dry_run);
	json_set_text(arena, document, KEY(outcome), row->outcome);
	json_set_text(arena, document, KEY(number), row->number);
	json_set_text(arena, document, KEY(url), row->url);
	json_set_text(arena, document, KEY(head), row->head);
	if (!row->method) {
		json_set_text(arena, document, KEY(request), NULL);
		return document;
	}
	struct json *request = json_set_object(arena, document, KEY(request));
	json_set_text(arena, request, KEY(method), row->method);
	json_set_text(arena, request, KEY(url), row->request_url);
	json_set_text(arena, request, KEY(body), row->request_body);
	return document;
}

struct json *render_notify_json(struct arena *arena, const char *state, const char *message,
				bool dry_run)
{
	struct json *document = document_begin(arena, SCHEMA(notify));
	json_set_bool(arena, document, KEY(dry_run), dry_run);
	json_set_text(arena, document, KEY(state), state);
	json_set_text(arena, document, KEY(message), message);
	return document;
}
