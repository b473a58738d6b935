# A PostgreSQL server of the test's own: on a local socket and on a port of the loopback, as an unprivileged user. To be
# read after tests/cli/lib.sh.
# shellcheck shell=bash disable=SC2154

programs=${POSTGRES_PROGRAMS:-$(find /usr/lib/postgresql/*/bin -maxdepth 0 2>/dev/null | sort -V | tail -n 1)}
if [ ! -x "$programs/postgres" ]; then
	echo "skipped: no PostgreSQL server"
	finish
fi
export PATH=$programs:$PATH LC_ALL=${LC_ALL:-C.UTF-8}
data=$(mktemp -d)
port=$((20000 + $$ % 5000 * 4)) # and the next three

# The server refuses to run as root.
as_owner() { # COMMAND...
	if [ "$(id -u)" = 0 ]; then
		(cd / && setpriv --reuid=postgres --regid=postgres --clear-groups env HOME="$data" "$@")
	else
		"$@"
	fi
}

if ! as_owner true 2>/dev/null; then
	rmdir "$data"
	echo "skipped: the user postgres cannot run programs here"
	finish
fi

server_up() {
	as_owner pg_ctl -D "$data/cluster" -l "$data/log" -w -t 60 start >/dev/null || cat "$data/log"
}
server_down() { # [fast|immediate]
	as_owner pg_ctl -D "$data/cluster" -m "${1:-fast}" -w stop >/dev/null 2>&1
}
sql() { # STATEMENT [DATABASE]
	psql -h "$data" -p "$port" -U owner -d "${2:-rooflog}" -qAtX -v ON_ERROR_STOP=1 -c "$1"
}

server_make() { # SETTING
	[ "$(id -u)" = 0 ] && chown postgres "$data"
	chmod 755 "$data"
	as_owner initdb -D "$data/cluster" -U owner -A trust --no-sync -E UTF8 --locale=C >"$data/initdb.log" 2>&1 ||
		{ cat "$data/initdb.log"; exit 2; }
	as_owner tee -a "$data/cluster/postgresql.conf" >/dev/null <<-END
		unix_socket_directories = '$data'
		listen_addresses = '127.0.0.1'
		port = $port
		fsync = off
		log_min_messages = warning
		$1
	END
	server_up
	sql 'CREATE DATABASE rooflog' postgres
}

server_remove() {
	server_down immediate || true
	rm -rf "$data"
}
trap 'server_remove; chmod -R u+w "$scratch" 2>/dev/null; rm -rf "$scratch"' EXIT

# An address of the database; the project is #kernels.
address() { # USER [DATABASE]
	echo "postgresql://$1@/${2:-rooflog}?host=$data&port=$port#kernels"
}
