/* Names of the site's pages. */
#include "render/site/address/address.h"

#include "base/hash/hash.h"

static const char *hash_name(struct arena *arena, const char *letter, const char *text)
{
	struct sha256 hash;
	char hex[65];
	sha256_init(&hash);
	sha256_add(&hash, text, strlen(text));
	sha256_hex(&hash, hex);
	return arena_printf(arena, "%s%.10s", letter, hex);
}

/* The letters and digits of the name, for people, and its hash, which makes it unique. */
const char *site_address_slug(struct arena *arena, const char *kernel)
{
	enum { SLUG_LENGTH = 40 }; /* with hash and ending far below the 255 bytes of a name */
	struct strbuf slug = {0};
	for (const char *p = kernel; *p && slug.len < SLUG_LENGTH; p++) {
		char small = *p >= 'A' && *p <= 'Z' ? (char)(*p + 'a' - 'A') : *p;
		bool plain = (small >= 'a' && small <= 'z') || (small >= '0' && small <= '9');
		if (plain)
			strbuf_addch(&slug, small);
		else if (slug.len && slug.buf[slug.len - 1] != '-')
			strbuf_addch(&slug, '-');
	}
	if (slug.len && slug.buf[slug.len - 1] != '-')
		strbuf_addch(&slug, '-');
	const char *text = strbuf_into(&slug, arena);
	return arena_printf(arena, "%s%s", text, hash_name(arena, "", kernel));
}

const char *site_address_anchor(struct arena *arena, const char *key)
{
	return hash_name(arena, "s", key);
}

const char *site_address_of(struct arena *arena, const char *kernel, const char *key)
{
	return arena_printf(arena, "k/%s.html#%s", site_address_slug(arena, kernel),
			    site_address_anchor(arena, key));
}
