#!/usr/bin/env python3
"""Plays the APIs of GitHub, GitLab and Gitea for tests, as far as a comment needs them.

usage: forge.py serve FILE        serves on a free port of 127.0.0.1, which it writes to FILE
       forge.py reset URL         sets the state: {"user", "requests", "comments", "faults", ...}
       forge.py state URL         prints comments and the log of requests

Answers have the members and statuses of the public documents of these APIs (GitHub REST 2022-11-28, GitLab v4, Gitea v1).
A fault is {"on": regular expression of "METHOD /path", "times": n, and one or more of "status", "headers", "body", "cut",
"after" (do it, then cut the line), "delay"}.
"""
import json
import re
import sys
import time
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOKENS = {"good": "write", "reader": "read"}
state = {}
log = []


class Handler(BaseHTTPRequestHandler):
    disable_nagle_algorithm = True
    protocol_version = "HTTP/1.1"

    def log_message(self, *arguments):
        pass

    def answer(self, status, document, headers=None):
        body = document.encode() if isinstance(document, str) else json.dumps(document).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def fault(self):
        for fault in state.get("faults", []):
            if fault.get("times", 1) > 0 and re.fullmatch(fault["on"], f"{self.command} {self.path.split('?')[0]}"):
                fault["times"] = fault.get("times", 1) - 1
                return fault
        return {}

    def right(self):
        bearer = self.headers.get("Authorization", "").split(" ")[-1] or self.headers.get("PRIVATE-TOKEN", "")
        return TOKENS.get(bearer) if bearer else "none"

    def paged(self, items):
        query = dict(part.split("=") for part in self.path.partition("?")[2].split("&") if part)
        size, page = state.get("page", 100), int(query.get("page", 1))
        headers = {}
        if page * size < len(items):
            headers["Link"] = f'<http://{self.headers["Host"]}{self.path}>; rel="next"'
        self.answer(200, items[(page - 1) * size:page * size], headers)

    # --- the three ---

    def pull(self, one):
        return {"number": one["number"], "state": one.get("state", "open"),
                "html_url": f"https://host.example/{one['base']}/pull/{one['number']}",
                "head": {"sha": one["sha"], "repo": {"full_name": one["from"]} if one["from"] else None},
                "base": {"repo": {"full_name": one["base"]}}}

    def merge(self, one):
        return {"iid": one["number"], "state": "opened" if one.get("state", "open") == "open" else "closed",
                "sha": one["sha"], "source_project_id": one["from"], "target_project_id": one["base"],
                "web_url": f"https://host.example/-/merge_requests/{one['number']}"}

    def shown(self, comment, gitlab):
        if gitlab:
            return {"id": comment["id"], "body": comment["body"], "author": {"username": comment["author"]}}
        return {"id": comment["id"], "body": comment["body"], "user": {"login": comment["author"]},
                "html_url": f"https://host.example/comment/{comment['id']}"}

    def handle_all(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or "null") if length else None
        if self.path == "/_reset":
            state.clear()
            state.update(body)
            log.clear()
            return self.answer(200, {})
        if self.path == "/_state":
            return self.answer(200, {"comments": state.get("comments", {}), "log": log})
        log.append({"method": self.command, "path": self.path, "authorization": self.headers.get("Authorization"),
                    "private": self.headers.get("PRIVATE-TOKEN"), "body": body})
        fault = self.fault()
        time.sleep(fault.get("delay", 0))
        if "cut" in fault:
            self.close_connection = True
            return self.connection.close()
        if "status" in fault:
            return self.answer(fault["status"], fault.get("body", {"message": "planted"}), fault.get("headers"))
        self.dropped = "after" in fault
        self.serve(body)

    def done(self, status, document):
        if self.dropped:
            self.close_connection = True
            return self.connection.close()
        self.answer(status, document)

    def serve(self, body):
        right = self.right()
        path = self.path.partition("?")[0]
        if right is None:
            return self.answer(401, {"message": "Bad credentials"})
        if path.endswith("/user") and path.count("/") == 1:
            user = state.get("user")
            if not user:
                return self.answer(403, {"message": "Resource not accessible by integration"})
            return self.answer(200, {"login": user, "username": user, "id": 7})
        gitlab = path.startswith("/projects/")
        requests = {str(one["number"]): one for one in state["requests"]}
        comments = state.setdefault("comments", {})
        show = self.merge if gitlab else self.pull
        root = r"/projects/[^/]+/merge_requests" if gitlab else r"/repos/[^/]+/[^/]+/pulls"
        if re.fullmatch(root, path):
            return self.paged([show(one) for one in requests.values() if one.get("state", "open") == "open"])
        found = re.fullmatch(root + r"/(\d+)", path)
        if found:
            one = requests.get(found[1])
            return self.answer(200, show(one)) if one else self.answer(404, {"message": "Not Found"})
        many = r"/projects/[^/]+/merge_requests/(\d+)/notes" if gitlab else r"/repos/[^/]+/[^/]+/issues/(\d+)/comments"
        found = re.fullmatch(many, path)
        if found and self.command == "GET":
            return self.paged([self.shown(one, gitlab) for one in comments.get(found[1], [])])
        if self.command != "GET" and right != "write":
            return self.answer(403, {"message": "Resource not accessible by integration"})
        if found and self.command == "POST":
            if len(body["body"]) > 65536:
                return self.answer(422, {"message": "Validation Failed"})
            one = {"id": 1000 + len(log), "author": state.get("user") or "github-actions[bot]", "body": body["body"]}
            comments.setdefault(found[1], []).append(one)
            return self.done(201, self.shown(one, gitlab))
        one = r"/projects/[^/]+/merge_requests/\d+/notes/(\d+)" if gitlab else r"/repos/[^/]+/[^/]+/issues/comments/(\d+)"
        found = re.fullmatch(one, path)
        for comment in (one for some in comments.values() for one in some):
            if found and str(comment["id"]) == found[1] and self.command == ("PUT" if gitlab else "PATCH"):
                comment["body"] = body["body"]
                return self.done(200, self.shown(comment, gitlab))
        self.answer(404, {"message": "Not Found"})

    do_GET = do_POST = do_PATCH = do_PUT = handle_all


def main(verb, where):
    if verb == "serve":
        server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        with open(where, "w", encoding="ascii") as file:
            file.write(f"{server.server_port}\n")
        server.serve_forever()
    data = sys.stdin.read().encode() if verb == "reset" else None
    with urllib.request.urlopen(f"{where}/_{verb}", data) as answer:
        print(answer.read().decode())


if __name__ == "__main__":
    main(*sys.argv[1:])
