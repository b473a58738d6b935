#!/bin/bash
# The issue forms are YAML as GitHub wants it, each asks whether the attached file may be published, and the commands that they
# name are understood.
set -u
# shellcheck source=tests/cli/lib.sh
. tests/cli/lib.sh
forms=$root/.github/ISSUE_TEMPLATE

if python3 -c 'import yaml' 2>/dev/null; then
	check "the forms" python3 - "$forms" <<'END_OF_PYTHON'
import pathlib, sys, yaml
faults = []
for path in sorted(pathlib.Path(sys.argv[1]).glob("*.yml")):
    form = yaml.safe_load(path.read_text(encoding="utf-8"))
    if path.name == "config.yml":
        faults += [] if form == {"blank_issues_enabled": True} else [f"{path.name}: {form}"]
        continue
    for key in "name", "description":
        if not isinstance(form.get(key), str):
            faults.append(f"{path.name}: no {key}")
    fields = [field for field in form["body"] if field["type"] != "markdown"]
    if len({field["id"] for field in fields}) != len(fields) or "privacy" not in {field["id"] for field in fields}:
        faults.append(f"{path.name}: an id twice, or no privacy")
    for field in form["body"]:
        if field["type"] not in ("markdown", "textarea", "input", "dropdown", "checkboxes"):
            faults.append(f"{path.name}: a field of type {field['type']}")
        if field["type"] == "markdown" and not field["attributes"].get("value"):
            faults.append(f"{path.name}: an empty text")
        if field["type"] != "markdown" and not field["attributes"].get("label"):
            faults.append(f"{path.name}: a field without a label")
        if field["type"] in ("dropdown", "checkboxes") and not field["attributes"].get("options"):
            faults.append(f"{path.name}: no options of {field['id']}")
print("\n".join(faults))
sys.exit(bool(faults))
END_OF_PYTHON
else
	echo "skipped: no python3-yaml"
fi

sh samples/history.sh "$scratch/kernels" 1 6 >/dev/null 2>&1
cd "$scratch/kernels" || exit 2
# shellcheck disable=SC2016 # Markdown
grep -oh '`rooflog [^`]*`' "$forms"/*.yml | tr -d '`' | sort -u >"$scratch/commands"
check "commands are named: $(paste -sd ';' "$scratch/commands")" test "$(wc -l <"$scratch/commands")" -ge 5
while IFS= read -r line; do
	line=${line//SERIES/attention}
	line=${line//FILE/$root/samples/mlp}
	case $line in
	*' --columns'*) continue ;; # Which ones, the page says that the form names.
	*'--dry-run'*) line+=' --commit HEAD' ;;
	esac
	# shellcheck disable=SC2086 # words are meant
	run ${line#rooflog }
	check "$line: $err" test "$status" -le 1
done <"$scratch/commands"
while IFS= read -r page; do
	check "$page, which a form names" test -s "$root/$page"
done < <(grep -ohE '\b(docs/[a-z/-]+|SECURITY|CONTRIBUTING|CHANGELOG)\.md\b' "$forms"/*.yml "$root/.github/PULL_REQUEST_TEMPLATE.md" | sort -u)
finish
