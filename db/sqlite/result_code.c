/* What SQLite's result codes mean to the user, and what the user can do. */
#include "db/sqlite/result_code.h"

#include "base/system/library_sqlite.h"

static const char damage_advice[] =
	"restore it from a copy, or save what is left with `sqlite3 <store> .recover`";

struct fault {
	int status; /* result code; a primary one stands for all its extended ones */
	enum error_kind kind;
	const char *what; /* NULL: use SQLite's own message */
	const char *advice;
};

static const struct fault faults[] = {
	{SQLITE_BUSY, ERR_STORE, "another process keeps the store locked",
	 "wait for it to finish, or stop it, then retry"},
	{SQLITE_LOCKED, ERR_STORE, NULL, "retry"},
	{SQLITE_FULL, ERR_SYSTEM, "no space left on the disk or in the quota",
	 "free some space and retry; the store is unchanged"},
	{SQLITE_IOERR, ERR_SYSTEM, "the store cannot be read or written",
	 "check the disk, the quota and the limits (ulimit -f); the store is unchanged"},
	{SQLITE_READONLY, ERR_SYSTEM, "no permission to write to the store",
	 "change the mode or owner of the file and its directory, or give another --store"},
	{SQLITE_PERM, ERR_SYSTEM, "no permission to use the store",
	 "change the mode or owner of the file and its directory, or give another --store"},
	{SQLITE_CANTOPEN, ERR_SYSTEM, "the store cannot be opened",
	 "check that the directory exists and that you have permission to access it and the file"},
	{SQLITE_NOTADB, ERR_STORE, "the file is not a rooflog store",
	 "give the path of a store with --store, or another path to `rooflog init`"},
	{SQLITE_CORRUPT_INDEX, ERR_STORE, "the store is damaged: an index differs from its table",
	 "`rooflog doctor --repair` rebuilds it"},
	{SQLITE_CORRUPT, ERR_STORE, "the store is damaged", damage_advice},
	{SQLITE_INTERRUPT, ERR_STORE,
	 "the store is damaged: reading it takes more steps than its size explains", damage_advice},
	{SQLITE_PROTOCOL, ERR_STORE, NULL,
	 "file locking does not work on this file system; put the store on a local disk"},
	{SQLITE_NOMEM, ERR_SYSTEM, "out of memory", "free some memory and retry"},
	{SQLITE_TOOBIG, ERR_STORE, NULL, "remove the run with a text of more than 1 MiB"},
};

static const struct fault *find(int status)
{
	for (size_t i = 0; i < sizeof faults / sizeof *faults; i++)
		if (faults[i].status == status || faults[i].status == (status & 0xff))
			return &faults[i];
	return NULL;
}

const char *result_code_advice(void)
{
	return damage_advice;
}

int result_code_set(struct error *err, const char *path, struct sqlite3 *handle, int status)
{
	assert(status != SQLITE_OK);
	const struct fault *fault = find(status);
	const char *message = handle ? sqlite3_errmsg(handle) : sqlite3_errstr(status);
	if (!fault)
		return error_set(err, ERR_STORE, "%s: %s", path, message);
	int number = handle && fault->kind == ERR_SYSTEM ? sqlite3_system_errno(handle) : 0;
	return error_set(err, fault->kind, "%s: %s%s%s%s; %s", path,
			 fault->what ? fault->what : message, number ? " (" : "",
			 number ? strerror(number) : "", number ? ")" : "", fault->advice);
}
