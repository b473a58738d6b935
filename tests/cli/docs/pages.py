#!/usr/bin/env python3
"""usage: pages.py SITE PAGES

Checks the documentation site that docs/site/build.py wrote, by reading its files as a browser does: every link and picture
leads to a file of the site, every anchor to an element, every page can be reached from index.html and leads back to it, each has
one h1, a title of its own, and previous and next as docs/site/pages.txt says (PAGES). Text is UTF-8, names no path of a
machine, and nothing is loaded from elsewhere. Prints each fault, and a line of counts.
"""
import html.parser
import os
import posixpath
import re
import sys
import urllib.parse

LOADED = {("img", "src"), ("source", "srcset"), ("link", "href"), ("script", "src"), ("iframe", "src"), ("object", "data"),
          ("video", "src"), ("audio", "src"), ("embed", "src"), ("form", "action"), ("meta", "content")}
PATHS = re.compile(r"(?<![\w./~-])/(?:work|tmp|root|build|opt|mnt|home(?!/ada\b))/[\w./-]+|\bfile:/")


class Page(html.parser.HTMLParser):
    """The links, loaded resources, anchors and texts of one page."""

    def __init__(self, path):
        super().__init__(convert_charrefs=True)
        self.links, self.loaded, self.anchors, self.h1, self.faults = [], [], [], 0, []
        self.rel, self.title, self.words, self.tag = {}, "", [], None
        with open(path, "rb") as file:
            data = file.read()
        try:
            self.feed(data.decode("utf-8", "strict"))
        except UnicodeDecodeError as error:
            self.faults.append(f"not UTF-8: {error}")

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.tag = tag
        self.h1 += tag == "h1"
        self.anchors += [attributes["id"]] if "id" in attributes else []
        if tag == "a" and "href" in attributes:
            self.links.append(attributes["href"])
            if "rel" in attributes:
                self.rel[attributes["rel"]] = attributes["href"]
        for name, value in attrs:
            if (tag, name) in LOADED and (tag, name) != ("meta", "content"):
                self.loaded.append(value)
            if name.startswith("on") or tag == "script":
                self.faults.append(f"a script: <{tag} {name}>")
            if name == "style" and "url(" in (value or ""):
                self.faults.append(f"a style that loads: {value}")

    def handle_endtag(self, tag):
        self.tag = None

    def handle_data(self, data):
        if self.tag == "title":
            self.title += data
        self.words.append(data)


class Site:
    """All pages of a folder, and what is wrong with them."""

    def __init__(self, folder):
        self.folder, self.failures, self.links = folder, 0, 0
        self.files = {posixpath.relpath(os.path.join(at, name), folder) for at, _, names in os.walk(folder) for name in names}
        self.pages = {path: Page(os.path.join(folder, path)) for path in sorted(self.files) if path.endswith(".html")}

    def fail(self, path, message):
        print(f"FAILED: {path}: {message}")
        self.failures += 1

    def target(self, path, link):
        """The file of the site and the anchor that a link leads to."""
        address, _, anchor = link.partition("#")
        to = posixpath.normpath(posixpath.join(posixpath.dirname(path), urllib.parse.unquote(address))) if address else path
        return to, urllib.parse.unquote(anchor)

    def check_link(self, path, link):
        self.links += 1
        if re.match(r"[a-z]+:", link):
            if not link.startswith(("https://", "http://")):
                self.fail(path, f"a link of another kind: {link}")
            return
        to, anchor = self.target(path, link)
        if to not in self.files:
            self.fail(path, f"a dead link: {link}")
        elif anchor and (to not in self.pages or anchor not in self.pages[to].anchors):
            self.fail(path, f"a dead anchor: {link}")

    def check_page(self, path, page):
        for fault in page.faults:
            self.fail(path, fault)
        if page.h1 != 1:
            self.fail(path, f"{page.h1} elements h1")
        for anchor in {anchor for anchor in page.anchors if page.anchors.count(anchor) > 1}:
            self.fail(path, f"an anchor twice: {anchor}")
        for link in page.links:
            self.check_link(path, link)
        for link in page.loaded:
            if link.startswith("data:image/svg+xml"):
                continue
            if re.match(r"[a-z]+:|//", link):
                self.fail(path, f"loads from elsewhere: {link}")
            elif self.target(path, link)[0] not in self.files:
                self.fail(path, f"loads what is not there: {link}")
        if path != "index.html" and "index.html" not in {self.target(path, link)[0] for link in page.links}:
            self.fail(path, "no way back to the start")
        found = PATHS.search("".join(page.words))
        if found:
            self.fail(path, f"a path of a machine: {found.group(0)}")

    def check_reached(self):
        reached, waiting = {"index.html"}, ["index.html"]
        while waiting:
            path = waiting.pop()
            for link in self.pages[path].links:
                to = self.target(path, link)[0]
                if to in self.pages and to not in reached:
                    reached.add(to)
                    waiting.append(to)
        for path in sorted(set(self.pages) - reached):
            self.fail(path, "cannot be reached from the start")

    def check_titles(self):
        titles = {}
        for path, page in self.pages.items():
            if page.title in titles:
                self.fail(path, f"has the title of {titles[page.title]}: {page.title}")
            titles[page.title] = path

    def check_turns(self, listed):
        """Next leads through all pages in their order, previous back."""
        path, seen = "index.html", ["index.html"]
        while "next" in self.pages[path].rel:
            to = self.target(path, self.pages[path].rel["next"])[0]
            if to in seen or to not in self.pages:
                self.fail(path, f"next leads to {to}")
                return
            if "prev" not in self.pages[to].rel or self.target(to, self.pages[to].rel["prev"])[0] != path:
                self.fail(to, f"previous does not lead to {path}")
            seen.append(to)
            path = to
        expected = ["index.html" if source == "README.md" else source[:-3] + ".html" for source in listed]
        if [at for at in seen if not at.startswith("commands/")] != expected:
            self.fail("index.html", "next does not lead through the pages of docs/site/pages.txt")
        for at in sorted(set(self.pages) - set(seen) - {"contents.html"}):
            self.fail(at, "next does not lead here")

    def check_styles(self):
        for path in sorted(self.files):
            if path.endswith((".css", ".svg")):
                with open(os.path.join(self.folder, path), encoding="utf-8") as file:
                    text = file.read()
                if re.search(r"@import|url\(|<image|<script|(?:href|src)=\"(?!#)", text):
                    self.fail(path, "loads something")


def main():
    site = Site(sys.argv[1])
    with open(sys.argv[2], encoding="utf-8") as file:
        listed = [line.partition("|")[0].strip() for line in file if line.strip() and line[0] not in "#["]
    for path, page in site.pages.items():
        site.check_page(path, page)
    site.check_reached()
    site.check_titles()
    site.check_turns(listed)
    site.check_styles()
    print(f"pages: {len(site.pages)} pages, {site.links} links, {site.failures} failures")
    return 1 if site.failures or len(site.pages) < 50 else 0


sys.exit(main())
