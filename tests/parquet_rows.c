/*
 * usage: parquet_rows FILE
 * Prints the rows of a Parquet file as CSV, for tests that compare them with those of other
 * programs. Texts are in hexadecimal digits, so that nothing needs quotes; null is empty. Columns
 * that cannot be read are left out.
 */
#include <float.h>

#include "ingest/container/parquet/parquet.h"

static void print_value(const struct parquet_value *value)
{
	if (value->kind == PARQUET_WHOLE)
		printf("%s%" PRIu64, value->negative ? "-" : "", value->magnitude);
	else if (value->kind == PARQUET_NUMBER)
		printf("%.*g", DBL_DECIMAL_DIG, value->number);
	else if (value->kind == PARQUET_TRUTH)
		fputs(value->magnitude ? "true" : "false", stdout);
	if (value->kind == PARQUET_TEXT)
		putchar('x');
	for (size_t i = 0; i < value->text.len; i++)
		printf("%02x", (unsigned char)value->text.ptr[i]);
}

static int print_rows(struct parquet *file, struct error *err)
{
	size_t count = 0, *columns = calloc(parquet_column_count(file), sizeof *columns);
	if (!columns)
		abort();
	for (size_t i = 0; i < parquet_column_count(file); i++)
		if (parquet_can_choose(file, i)) {
			printf("%s%s", count ? "," : "", parquet_column_name(file, i));
			columns[count++] = i;
		}
	putchar('\n');
	int more = parquet_choose(file, columns, count, err) < 0 ? -1 : 1;
	free(columns);
	while (more > 0 && (more = parquet_next(file, err)) > 0) {
		for (size_t i = 0; i < count; i++) {
			fputs(i ? "," : "", stdout);
			print_value(parquet_value(file, i));
		}
		putchar('\n');
	}
	return more;
}

int main(int argc, char **argv)
{
	struct error err;
	struct input *input = argc == 2 ? input_open(argv[1], &err) : NULL;
	struct parquet *file = input ? parquet_open(input, &err) : NULL;
	int rc = file ? print_rows(file, &err) : -1;
	if (rc < 0)
		fprintf(stderr, "%s\n", argc == 2 ? err.text : "usage: parquet_rows FILE");
	parquet_close(file);
	input_close(input);
	return rc < 0;
}
