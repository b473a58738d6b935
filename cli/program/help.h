/* Pages of help, made from the rows of commands and options, and the topics. */
#pragma once

#include "cli/command.h"

/* The first page: what rooflog is, and its commands. */
void help_first_page(struct strbuf *out);
/* The page of a command. A verb has that of its group. */
void help_page(struct arena *arena, const struct command *command, struct strbuf *out);
/* The text with its first {} replaced by the command's listing, if it has one. */
const char *help_text(struct arena *arena, const struct command *command, const char *text);
