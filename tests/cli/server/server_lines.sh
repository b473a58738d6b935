#!/bin/bash
# A store on a server over bad lines, through a pooler, at the strictest isolation, and with TLS and a password.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/server/lib.sh
. tests/cli/server/lib.sh

server_make "default_transaction_isolation = 'serializable'"
repository first
nights 7
through() { echo "postgresql://owner@127.0.0.1:$1/rooflog?sslmode=disable#kernels"; } # PORT

# --- cut, and refused ---
python3 "$root/tests/cli/server/bad_line.py" "$port" $((port + 1)) 15 8 8 >"$scratch/line" 2>"$scratch/line.err" &
line=$!
until grep -q ready "$scratch/line"; do sleep 0.05; done
export ROOFLOG_STORE
ROOFLOG_STORE=$(through $((port + 1)))
for night in 1 2 3 4 5 6 7 8; do
	series attention '1*e' "$night" "$night"
	measured "$night"
	run baseline set "night-$night" "HEAD~$((8 - night))"
	equal "baseline over a bad line: $err" "$status" 0
	run log --json
	equal "all nights are here: $err" "$(jq '.runs | length' <<<"$out")" "$night"
done
kill $line
wait $line 2>/dev/null
equal "nothing doubled" "$(sql 'SELECT count(*), count(DISTINCT id) FROM rooflog.pack WHERE runs > 0')" "8|8"
ROOFLOG_STORE=$(address owner)
HOME=$scratch/other run log --json
equal "all is on the server" "$(jq '[.runs[].id] | unique | length' <<<"$out")" 8
equal "the line was bad" "$(cat "$scratch/line.err")" ""

# --- a pooler that gives each transaction another connection ---
if command -v pgbouncer >/dev/null; then
	printf '[databases]\nrooflog = host=%s port=%s user=owner\n[pgbouncer]\nlisten_addr=127.0.0.1\nlisten_port=%s\nauth_type=any\npool_mode=transaction\nunix_socket_dir=\ndefault_pool_size=2\n' \
		"$data" "$port" $((port + 2)) >"$data/pooler.ini"
	chmod 644 "$data/pooler.ini"
	echo "pidfile=$data/pooler.pid" >>"$data/pooler.ini"
	as_owner pgbouncer -q -d "$data/pooler.ini"
	ROOFLOG_STORE=$(through $((port + 2)))
	series relu '2*e'
	measured 20
	for ((n = 0; n < 6; n++)); do
		HOME=$scratch/pooled-$n "$rooflog" log --json >"$scratch/pooled-$n.json" 2>&1 &
	done
	wait
	for ((n = 0; n < 6; n++)); do
		equal "through the pooler" "$(jq '.runs | length' "$scratch/pooled-$n.json")" 16
	done
	kill "$(cat "$data/pooler.pid")"
else
	echo "skipped: no pgbouncer"
fi

# --- a password in a file, and TLS ---
openssl req -new -x509 -days 2 -nodes -subj /CN=localhost -keyout "$data/key" -out "$data/certificate" >/dev/null 2>&1
as_owner true && { [ "$(id -u)" != 0 ] || chown postgres "$data/key" "$data/certificate"; }
chmod 600 "$data/key"
sql "ALTER ROLE owner PASSWORD 'sesame'"
as_owner tee -a "$data/cluster/postgresql.conf" >/dev/null <<<"ssl = on
ssl_cert_file = '$data/certificate'
ssl_key_file = '$data/key'"
as_owner tee "$data/cluster/pg_hba.conf" >/dev/null <<<"local all all trust
hostssl all all 127.0.0.1/32 scram-sha-256"
server_down
server_up
ROOFLOG_STORE="postgresql://owner@127.0.0.1:$port/rooflog?sslmode=verify-ca&sslrootcert=$data/certificate#kernels"
run log
equal "no password: status" "$status" 2
check "no password: $err" grep -q 'no password supplied' <<<"$err"
echo "127.0.0.1:$port:rooflog:owner:sesame" >"$scratch/pass"
chmod 600 "$scratch/pass"
PGPASSFILE=$scratch/pass run log --json
equal "with a file of passwords: $err" "$(jq '.runs | length' <<<"$out")" 16
echo "127.0.0.1:$port:rooflog:owner:wrong" >"$scratch/pass"
PGPASSFILE=$scratch/pass run log
check "a wrong one: $err" grep -q 'password authentication failed' <<<"$err"
check "is not shown: $err" test "${err/wrong/}${err/sesame/}" = "$err$err"
ROOFLOG_STORE="postgresql://owner@127.0.0.1:$port/rooflog?sslmode=disable#kernels" run log
check "no TLS, no entry: $err" grep -q 'no encryption' <<<"$err"
finish
