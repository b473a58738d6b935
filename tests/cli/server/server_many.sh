#!/bin/bash
# Many writers and readers of a store on a server at once, killed clients, a server that stops. MANY="WRITERS READERS
# KILLS STOPS" has other numbers than those of each day.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
# shellcheck source=tests/cli/server/lib.sh
. tests/cli/server/lib.sh

server_make "${1:-}"
repository first
nights 7
mkdir "$scratch/many"
printf '#!/bin/bash\n%s\n' "$(declare -p data port PATH; declare -f as_owner server_up server_down)" >"$scratch/many/server_down"
cp "$scratch/many/server_down" "$scratch/many/server_up"
echo 'server_down immediate' >>"$scratch/many/server_down"
echo 'server_up' >>"$scratch/many/server_up"
chmod +x "$scratch/many/server_down" "$scratch/many/server_up"
# shellcheck disable=SC2086 # numbers
check "many at once" python3 "$root/tests/cli/server/many.py" "$rooflog" "$(address owner)" "$scratch/many" ${MANY:-}
finish
