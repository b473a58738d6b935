/* ingest/input/input.h for bytes in memory only: what a test needs on systems without zlib. */
#include "ingest/input/input.h"

#include <stdlib.h>
#include <string.h>

struct input {
	struct span left;
};

struct input *input_of_bytes(struct span bytes)
{
	struct input *input = malloc(sizeof *input);
	if (!input)
		abort();
	input->left = bytes;
	return input;
}

int input_read(struct input *input, void *buffer, size_t size, size_t *got, struct error *err)
{
	(void)err;
	*got = input->left.len < size ? input->left.len : size;
	if (*got)
		memcpy(buffer, input->left.ptr, *got);
	input->left.ptr += *got;
	input->left.len -= *got;
	return 0;
}

int input_head(struct input *input, struct span *head, struct error *err)
{
	(void)err;
	*head = input->left;
	return 0;
}

/* Memory has no file. */
bool input_is_plain(struct input *input, int *fd, struct span *bytes)
{
	(void)input;
	*fd = -1;
	*bytes = (struct span){NULL, 0};
	return false;
}

void input_count(struct input *input, uint64_t bytes)
{
	(void)input, (void)bytes;
}

void input_close(struct input *input)
{
	free(input);
}
