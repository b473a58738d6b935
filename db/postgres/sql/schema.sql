-- Schema 1 of a store on a server. Each statement may run again, and by many at once; "--;" ends one.
--   - `place` is the project: 64 bits of the SHA-256 of its name. It comes first in every key, so whoever spreads the
--     table spreads it by place, and each statement but those of `version` reads one place.
--   - Rows are added and never changed. A pack's id is the SHA-256 of its lines.
CREATE SCHEMA IF NOT EXISTS rooflog;
--;
CREATE TABLE IF NOT EXISTS rooflog.version (
	version integer PRIMARY KEY, -- the highest one is that of the schema
	origin text NOT NULL         -- 32 random hexadecimal digits: the database
);
--;
CREATE TABLE IF NOT EXISTS rooflog.project (
	place bigint PRIMARY KEY,
	name text NOT NULL
);
--;
CREATE TABLE IF NOT EXISTS rooflog.pack (
	place bigint NOT NULL,
	id bytea NOT NULL,
	-- microseconds since 1970, by the clock of the server
	stored_at bigint NOT NULL DEFAULT (extract(epoch FROM clock_timestamp()) * 1000000)::bigint,
	runs bigint NOT NULL,
	lines bytea NOT NULL,        -- commits, runs, edits and baselines (docs/schema/program/store-1.schema.json)
	PRIMARY KEY (place, id)
);
--;
CREATE INDEX IF NOT EXISTS pack_by_time ON rooflog.pack (place, stored_at);
--;
INSERT INTO rooflog.version (version, origin) VALUES (1, $1) ON CONFLICT (version) DO NOTHING;
