"""usage: peer_ingest.py STORE PROFILE...
Puts the numbers of the summaries of profiles into an SQLite file, a transaction for each, as a script
of few lines would: no intervals, no totals by opcode, no name of what was measured."""
import json
import sqlite3
import sys

store = sqlite3.connect(sys.argv[1])
store.execute("CREATE TABLE IF NOT EXISTS run (id INTEGER PRIMARY KEY, source TEXT)")
store.execute(
    "CREATE TABLE IF NOT EXISTS value (run_id, key, value, PRIMARY KEY (run_id, key)) WITHOUT ROWID"
)
for path in sys.argv[2:]:
    with open(path, encoding="utf-8") as file:
        summary = json.load(file)["summary"]
    if isinstance(summary, list):
        summary = summary[0]
    run = store.execute("INSERT INTO run (source) VALUES (?)", (path,)).lastrowid
    store.executemany(
        "INSERT INTO value VALUES (?, ?, ?)",
        [(run, key, value) for key, value in summary.items() if isinstance(value, (int, float))],
    )
    store.commit()
