/* The acceptance files of commits (.rooflog/accept). Identical files are stored once. */

#include "base/hash/hash.h"
#include "db/store/store.h"
#include "db/store/internal.h"
#include "model/acceptance/acceptance.h"

static void digest_of(struct span bytes, struct hash_bytes *hash)
{
	struct sha256 sum;
	char hex[65];
	sha256_init(&sum);
	sha256_add(&sum, bytes.ptr, bytes.len);
	sha256_hex(&sum, hex);
	hash_parse(hex, hash);
}

/* Reads hash and bytes of a file from the next columns of the row. False if the row has no file or
 * the hash does not match the bytes (a damaged row). */
static bool read_file(struct query *query, struct arena *arena, struct span *file)
{
	struct hash_bytes stored = {{0}}, hash;
	struct span bytes;
	size_t len;
	const void *name = query_bytes(query, &len);
	if (len != sizeof stored.byte)
		return false;
	memcpy(stored.byte, name, len);
	bytes.ptr = query_bytes(query, &bytes.len);
	if (!bytes.len || bytes.len > ACCEPTANCE_FILE_LIMIT)
		return false;
	digest_of(bytes, &hash);
	if (memcmp(hash.byte, stored.byte, sizeof hash.byte) != 0)
		return false;
	*file = (struct span){arena_strndup(arena, bytes.ptr, bytes.len), bytes.len};
	return true;
}

int store_accepted(struct store *store, struct arena *arena, const char *oid,
		   struct store_accepted *accepted, struct error *err)
{
	struct store_accepted stored = {0};
	struct query query = query_start(store->sql, "baseline/accepted");
	query_bind_text(&query, oid);
	if (query_next(&query)) {
		stored.found = query_integer(&query) != 0;
		/* With a damaged file the row is ignored, and the caller asks git. */
		stored.known = !stored.found || read_file(&query, arena, &stored.bytes);
	}
	if (query_finish(&query, err) < 0)
		return -1;
	*accepted = stored;
	return 0;
}

static int add_file(struct store *store, struct span bytes, struct hash_bytes *hash,
		    struct error *err)
{
	digest_of(bytes, hash);
	struct query query = query_start(store->sql, "baseline/accepted_file_add");
	query_bind_bytes(&query, hash->byte, sizeof hash->byte);
	query_bind_bytes(&query, bytes.ptr, bytes.len);
	return query_execute(&query, err);
}

static int add(struct store *store, const char *oid, const struct span *bytes, struct error *err)
{
	struct hash_bytes hash;
	bool file = bytes && bytes->len;
	if (file && add_file(store, *bytes, &hash, err) < 0)
		return -1;
	struct query query = query_start(store->sql, "baseline/accepted_add");
	query_bind_text(&query, oid);
	query_bind_bytes(&query, file ? hash.byte : NULL, file ? sizeof hash.byte : 0);
	return query_execute(&query, err);
}

int store_add_accepted(struct store *store, const char *oid, const struct span *bytes,
		       struct error *err)
{
	if (store_scope_begin(store, err) < 0)
		return -1;
	return store_scope_end(store, add(store, oid, bytes, err) < 0, err);
}
