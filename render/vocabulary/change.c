/* Changes in few digits: a factor, a percentage, or both values. */
#include "render/vocabulary/change.h"

/* Changes by at least this factor are printed as a factor. */
static const double least_factor = 2;

void vocabulary_add_quantity(struct strbuf *out, enum language language, double number,
			     enum unit unit)
{
	if (language == LANGUAGE_CHINESE && isnan(number))
		strbuf_addstr(out, "未知");
	else if (language == LANGUAGE_CHINESE && isinf(number))
		strbuf_addstr(out, number > 0 ? "无穷大" : "负无穷大");
	else
		quantity_add(out, number, unit);
}

/* "2.900 us" becomes "2.9 us". */
static void drop_zeros(struct strbuf *sb)
{
	const char *dot = strchr(strbuf_text(sb), '.');
	if (!dot)
		return;
	struct strbuf shorter = {0};
	size_t end = (size_t)(dot - sb->buf) + 1;
	while (end < sb->len && sb->buf[end] >= '0' && sb->buf[end] <= '9')
		end++;
	size_t kept = end;
	while (sb->buf[kept - 1] == '0')
		kept--;
	if (sb->buf[kept - 1] == '.')
		kept--;
	strbuf_add(&shorter, sb->buf, kept);
	strbuf_add(&shorter, sb->buf + end, sb->len - end);
	strbuf_free(sb);
	*sb = shorter;
}

/* The number with three significant digits. The caller frees it. */
static struct strbuf short_of(enum language language, double number, enum unit unit)
{
	struct strbuf sb = {0};
	bool rounded = number != 0 && isfinite(number) && unit != UNIT_COUNT;
	double shift = rounded ? pow(10, 2 - floor(log10(fabs(number)))) : 1;
	vocabulary_add_quantity(&sb, language, rounded ? round(number * shift) / shift : number,
				unit);
	drop_zeros(&sb);
	return sb;
}

void vocabulary_add_sides(struct strbuf *out, enum language language, double before, double after,
			  enum unit unit)
{
	struct strbuf old = short_of(language, before, unit), new = short_of(language, after, unit);
	const char *old_unit = strchr(strbuf_text(&old), ' ');
	const char *new_unit = strchr(strbuf_text(&new), ' ');
	/* A shared unit is printed once. */
	bool shared = old_unit && new_unit && strcmp(old_unit, new_unit) == 0;
	strbuf_add(out, old.buf, shared ? (size_t)(old_unit - old.buf) : old.len);
	strbuf_addf(out, " -> %s", strbuf_text(&new));
	strbuf_free(&old);
	strbuf_free(&new);
}

static void add_factor(struct strbuf *out, enum language language, double factor, bool more)
{
	int decimals = factor < 9.95 ? 1 : 0;
	if (language == LANGUAGE_CHINESE)
		strbuf_addf(out, more ? "增至 %.*f 倍" : "减至 1/%.*f", decimals, factor);
	else
		strbuf_addf(out, "%.*fx %s", decimals, factor, more ? "more" : "less");
}

void vocabulary_add_change(struct strbuf *out, enum language language, double before, double after,
			   enum unit unit)
{
	double change = after / before - 1;
	if (unit == UNIT_FRACTION || unit == UNIT_COUNT || !(before > 0) || !(after > 0))
		vocabulary_add_sides(out, language, before, after, unit);
	else if (change >= least_factor - 1)
		add_factor(out, language, after / before, true);
	else if (before / after >= least_factor)
		add_factor(out, language, before / after, false);
	else
		strbuf_addf(out, "%s%.*f %%", change < 0 ? "-" : "+", fabs(change) < 0.0995 ? 1 : 0,
			    fabs(change) * 100);
}

void vocabulary_add_difference(struct strbuf *out, enum language language, double difference,
			       enum unit unit)
{
	const char *sign = difference < 0 ? "-" : "+";
	double points = fabs(difference) * 100;
	if (unit == UNIT_FRACTION) {
		/* Two significant digits for small values. */
		int decimals = points >= 9.95 ? 0
			       : points > 0   ? (int)fmin(fmax(1 - floor(log10(points)), 1), 9)
					      : 1;
		strbuf_addf(out, "%s%.*f %s", sign, decimals, points,
			    language == LANGUAGE_CHINESE ? "个百分点" : "points");
		return;
	}
	struct strbuf number = short_of(language, fabs(difference), unit);
	strbuf_addf(out, "%s%s", sign, strbuf_text(&number));
	strbuf_free(&number);
}
