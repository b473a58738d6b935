/* Files of rooflog in the trees of commits, such as .rooflog/accept. Identical files are stored
 * once. */

#include "base/hash/hash.h"
#include "db/store/store.h"
#include "db/store/internal.h"

static void digest_of(struct span bytes, struct hash_bytes *hash)
{
	struct sha256 sum;
	char hex[65];
	sha256_init(&sum);
	sha256_add(&sum, bytes.ptr, bytes.len);
	sha256_hex(&sum, hex);
	hash_parse(hex, hash);
}

/* Reads the bytes of a file from the next column. False unless they have the hash. */
static bool read_bytes(struct query *query, struct arena *arena, const struct hash_bytes *stored,
		       struct span *file)
{
	struct hash_bytes hash;
	struct span bytes;
	bytes.ptr = query_bytes(query, &bytes.len);
	if (!bytes.len || bytes.len > STORE_TREE_FILE_LIMIT)
		return false;
	digest_of(bytes, &hash);
	if (memcmp(hash.byte, stored->byte, sizeof hash.byte) != 0)
		return false;
	*file = (struct span){arena_strndup(arena, bytes.ptr, bytes.len), bytes.len};
	return true;
}

/* With a damaged row or file nothing is known, and the caller asks git. */
static void read_file(struct query *query, struct arena *arena, struct store_tree_file *file)
{
	struct hash_bytes hash = {{0}};
	struct seal seal = {0};
	size_t len;
	query->seal = &seal;
	query_text(query, arena); /* oid */
	query_text(query, arena); /* path */
	const void *name = query_bytes(query, &len);
	if (len == sizeof hash.byte)
		memcpy(hash.byte, name, len);
	bool whole = query_seal_fits(query);
	file->found = query_integer(query) != 0;
	file->known = whole && (file->found ? len == sizeof hash.byte &&
						      read_bytes(query, arena, &hash, &file->bytes)
					    : len == 0);
}

int store_tree_file(struct store *store, struct arena *arena, const char *const place[2],
		    struct store_tree_file *file, struct error *err)
{
	struct store_tree_file stored = {0};
	struct query query = query_start(store->sql, "tree/file");
	query_bind_text(&query, place[0]);
	query_bind_text(&query, place[1]);
	if (query_next(&query))
		read_file(&query, arena, &stored);
	if (query_finish(&query, err) < 0)
		return -1;
	*file = stored;
	return 0;
}

static int add_file(struct store *store, struct span bytes, struct hash_bytes *hash,
		    struct error *err)
{
	digest_of(bytes, hash);
	struct query query = query_start(store->sql, "tree/bytes_add");
	query_bind_bytes(&query, hash->byte, sizeof hash->byte);
	query_bind_bytes(&query, bytes.ptr, bytes.len);
	return query_execute(&query, err);
}

static int add(struct store *store, const char *const place[2], const struct span *bytes,
	       struct error *err)
{
	struct hash_bytes hash;
	struct seal seal = {0};
	bool file = bytes && bytes->len;
	if (file && add_file(store, *bytes, &hash, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "tree/add");
	query.seal = &seal;
	query_bind_text(&query, place[0]);
	query_bind_text(&query, place[1]);
	query_bind_bytes(&query, file ? hash.byte : NULL, file ? sizeof hash.byte : 0);
	query_bind_seal(&query);
	return query_execute(&query, err);
}

int store_add_tree_file(struct store *store, const char *const place[2], const struct span *bytes,
			struct error *err)
{
	if (store_scope_begin(store, err) < 0)
		return -1;
	return store_scope_end(store, add(store, place, bytes, err) < 0, err);
}
