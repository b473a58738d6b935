#!/usr/bin/env python3
"""Runs workflows of GitHub Actions as a runner does, for tests: each step's shell, in its environment.

usage: runner.py WORKFLOW SCENE

SCENE is JSON: {"github": the context of that name, with "event"; "secrets": {}; "upstream": a repository that
actions/checkout clones; "checkout": what it checks out; "artifacts": a folder; "place": a folder for everything else;
"actions": {name: folder with an action.yml}; "replace": {text: text} in the workflow, as a person edits the lines
marked "yours"}. Prints a line for each step, "JOB STEP: status", and for each job, "JOB: conclusion".

Known: jobs with needs and if; env of workflow, job and step; steps with run, uses, with, id, if; composite actions;
expressions with == != && || ! ( ), always() success() failure(); GITHUB_OUTPUT, GITHUB_ENV, GITHUB_PATH. Anything else
is an error, so that a test does not pass over it.
"""
import json
import os
import re
import shutil
import subprocess
import sys

import yaml

TOKEN = re.compile(r"\s*(?:'((?:[^']|'')*)'|(==|!=|&&|\|\||!|\(|\)|,)|([A-Za-z_][\w.-]*)|(\d+))")


class Expression:
    """A value of an expression in a context."""

    def __init__(self, text, context):
        self.tokens, self.at, self.context = [], 0, context
        end = 0
        text = text.strip()
        while end < len(text):
            match = TOKEN.match(text, end)
            if not match:
                raise SyntaxError(f"expression: {text}")
            string, operator, name, number = match.groups()
            self.tokens.append(("text", string.replace("''", "'")) if string is not None else ("op", operator) if operator
                               else ("name", name) if name else ("number", int(number)))
            end = match.end()

    def peek(self):
        return self.tokens[self.at] if self.at < len(self.tokens) else (None, None)

    def take(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def value(self):
        left = self.both()
        while self.peek() == ("op", "||"):
            self.take()
            right = self.both()
            left = left or right
        return left

    def both(self):
        left = self.equal()
        while self.peek() == ("op", "&&"):
            self.take()
            right = self.equal()
            left = right if left else left
        return left

    def equal(self):
        left = self.one()
        while self.peek() in (("op", "=="), ("op", "!=")):
            operator = self.take()[1]
            right = self.one()
            same = str(left).lower() == str(right).lower() if left is not None else right is None
            left = same == (operator == "==")
        return left

    def one(self):
        kind, value = self.take()
        if (kind, value) == ("op", "!"):
            return not self.one()
        if (kind, value) == ("op", "("):
            value = self.value()
            assert self.take() == ("op", ")")
            return value
        if kind != "name":
            return value
        if self.peek() == ("op", "("):
            self.take()
            assert self.take() == ("op", ")"), f"{value}() takes no arguments here"
            return {"always": True, "success": not self.context["failed"], "failure": self.context["failed"]}[value]
        if value in ("true", "false"):
            return value == "true"
        found, parts = self.context, value.split(".")
        # What these contexts don't have is a mistake; an event, secrets and outputs may lack anything.
        assert parts[0] in found, value
        assert parts[0] not in ("github", "runner", "inputs") or parts[1] in found[parts[0]], value
        for part in parts:
            found = found.get(part) if isinstance(found, dict) else None
        return found


def expanded(value, context):
    """The text with all ${{ }} replaced."""
    def replace(match):
        found = Expression(match[1], context).value()
        return "" if found is None else str(found).lower() if isinstance(found, bool) else str(found)
    return re.sub(r"\$\{\{(.*?)\}\}", replace, str(value))


def holds(condition, context):
    if condition is None:
        return not context["failed"]
    text = re.sub(r"^\$\{\{(.*)\}\}$", r"\1", str(condition).strip())
    value = bool(Expression(text, context).value())
    return value and (not context["failed"] or re.search(r"\b(always|failure)\(\)", text) is not None)


class Runner:
    def __init__(self, scene):
        self.scene = scene
        self.results = {}

    def run(self, workflow):
        jobs = dict(workflow["jobs"])
        while jobs:
            name = next(name for name, job in jobs.items() if all(need in self.results for need in listed(job.get("needs"))))
            job = jobs.pop(name)
            context = {"github": self.scene["github"], "secrets": self.scene.get("secrets", {}), "needs": {
                need: {"result": self.results[need]} for need in listed(job.get("needs"))}, "failed": False, "env": {},
                "vars": self.scene.get("vars", {})}
            context["failed"] = any(self.results[need] != "success" for need in listed(job.get("needs")))
            if not holds(job.get("if"), context):
                self.results[name] = "skipped"
            else:
                self.results[name] = self.job(name, job, workflow, context)
            print(f"{name}: {self.results[name]}")

    def job(self, name, job, workflow, context):
        known = {"if", "needs", "runs-on", "permissions", "env", "environment", "steps", "concurrency", "timeout-minutes", "name"}
        assert set(job) <= known, set(job) - known
        # A job's permissions replace those of the workflow; without "write" its token can only read.
        rights = job.get("permissions", workflow.get("permissions", {}))
        token = "good" if rights.get("pull-requests") == "write" else "reader"
        context["github"] = dict(context["github"], token=token)
        place = os.path.join(self.scene["place"], name)
        shutil.rmtree(place, ignore_errors=True)
        temp, work = os.path.join(place, "temp"), os.path.join(place, "work")
        os.makedirs(temp)
        os.makedirs(work)
        context.update(failed=False, runner={"temp": temp, "os": "Linux", "arch": "X64"}, steps={})
        github = {key: value for key, value in context["github"].items() if key != "event"}
        event = os.path.join(place, "event.json")
        with open(event, "w", encoding="utf-8") as file:
            json.dump(context["github"]["event"], file)
        base = dict(os.environ, CI="true", GITHUB_ACTIONS="true", RUNNER_TEMP=temp, GITHUB_WORKSPACE=work, GITHUB_EVENT_PATH=event,
                    GITHUB_STEP_SUMMARY=os.path.join(place, "summary.md"),
                    **{"GITHUB_" + key.upper(): str(value) for key, value in github.items() if key != "token"})
        job_env = {**(workflow.get("env") or {}), **(job.get("env") or {})}
        self.steps(name, job["steps"], context, base, {key: expanded(value, context) for key, value in job_env.items()}, work, place)
        return "failure" if context["failed"] else "success"

    def steps(self, job, steps, context, base, env, work, place):
        for index, step in enumerate(steps):
            known = {"name", "id", "if", "run", "uses", "with", "env", "shell", "working-directory", "continue-on-error"}
            assert set(step) <= known, set(step) - known
            title = step.get("name") or step.get("uses") or f"step {index + 1}"
            if not holds(step.get("if"), context):
                continue
            own = {key: expanded(value, context) for key, value in (step.get("env") or {}).items()}
            inside = dict(context, env={**env, **own})
            if "run" in step:
                status = self.shell(step, inside, {**base, **env, **own}, work, place, f"{job}-{index}")
                print(f"{job} {title}: {status}", flush=True)
                ok = status == 0
            else:
                ok = self.uses(job, step, inside, base, {**env, **own}, work, place)
            if not ok and not step.get("continue-on-error"):
                context["failed"] = True
            if step.get("id"):
                context["steps"][step["id"]] = {"outputs": dict(inside.get("outputs") or {}), "outcome": "success" if ok else "failure"}

    def shell(self, step, context, env, work, place, log):
        for name in ("OUTPUT", "ENV", "PATH"):
            env["GITHUB_" + name] = os.path.join(place, "github-" + name.lower())
            with open(env["GITHUB_" + name], "a", encoding="utf-8"):
                pass
        with open(env["GITHUB_OUTPUT"], "w", encoding="utf-8"):
            pass
        with open(env["GITHUB_PATH"], encoding="utf-8") as file:
            env["PATH"] = ":".join([*file.read().split("\n")[:-1][::-1], env["PATH"]])
        script = os.path.join(place, "step.sh")
        with open(script, "w", encoding="utf-8") as file:
            file.write(expanded(step["run"], context))
        words = ["bash", "--noprofile", "--norc", "-eo", "pipefail", script] if step.get("shell") == "bash" else ["bash", "-e", script]
        with open(os.path.join(self.scene["place"], "log"), "a", encoding="utf-8") as out:
            out.write(f"--- {log}\n")
            out.flush()
            status = subprocess.run(words, cwd=os.path.join(work, step.get("working-directory", "")), env=env, stdin=subprocess.DEVNULL,
                                    stdout=out, stderr=out, check=False).returncode
        with open(env["GITHUB_OUTPUT"], encoding="utf-8") as file:
            context["outputs"] = dict(line.split("=", 1) for line in file.read().splitlines())
        return status

    def uses(self, job, step, context, base, env, work, place):
        name = step["uses"].partition("@")[0]
        given = {key: expanded(value, context) for key, value in (step.get("with") or {}).items()}
        if name == "actions/checkout":
            subprocess.run(["git", "clone", "-q", self.scene["upstream"], work], check=True)
            subprocess.run(["git", "-C", work, "checkout", "-q", given.get("ref") or self.scene["checkout"]], check=True)
            return True
        if name in ("actions/upload-artifact", "actions/download-artifact"):
            store = os.path.join(self.scene["artifacts"], given["name"])
            source, target = (given["path"], store) if "upload" in name else (store, given["path"])
            if not os.path.exists(source):
                return "upload" in name  # with a warning
            if os.path.isfile(source):
                os.makedirs(target, exist_ok=True)
                shutil.copy(source, target)
            else:
                shutil.copytree(source, target, symlinks=True, dirs_exist_ok=True)
            return True
        folder = self.scene.get("actions", {})[name]
        with open(os.path.join(folder, "action.yml"), encoding="utf-8") as file:
            action = yaml.safe_load(file)
        assert action["runs"]["using"] == "composite"
        unknown = set(given) - set(action["inputs"])
        assert not unknown, unknown
        inner = dict(context, failed=False, steps={}, inputs={
            key: given.get(key, expanded(one.get("default", ""), context)) for key, one in action["inputs"].items()})
        self.steps(f"{job} action", action["runs"]["steps"], inner, dict(base, GITHUB_ACTION_PATH=folder), env, work, place)
        context["outputs"] = {key: expanded(one["value"], inner) for key, one in (action.get("outputs") or {}).items()}
        return not inner["failed"]


def listed(value):
    return [] if value is None else [value] if isinstance(value, str) else value


def main(path, scene):
    with open(path, encoding="utf-8") as file:
        text = file.read()
    with open(scene, encoding="utf-8") as file:
        scene = json.load(file)
    for old, new in scene.get("replace", {}).items():
        assert old in text, old
        text = text.replace(old, new)
    Runner(scene).run(yaml.safe_load(text))


if __name__ == "__main__":
    main(*sys.argv[1:])
