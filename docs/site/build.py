#!/usr/bin/env python3
"""Writes the documentation as a static site: one HTML page per Markdown page and per manual page.

usage: build.py FOLDER [MANUAL]

Run it from the top of the repository. docs/site/pages.txt lists the pages, page.html is what they share, style.css how they
look. MANUAL is the folder that the program `manual` of the build wrote. cmark-gfm renders Markdown, mandoc manual pages. The
same sources give the same bytes. FOLDER is replaced; one that has something else than a site in it is refused.

A link to a page leads to its HTML; pictures, files below docs/ and the license are copied; what else a page links to is not part of
the site, so its link becomes text. A link or an anchor that leads nowhere is an error.
"""
import html
import os
import posixpath
import re
import shutil
import string
import subprocess
import sys

HERE = "docs/site"
COMMANDS = "Commands"
# Manual pages that are pages of docs/, too.
SAME = {"rooflog-config(5)": "docs/user/configuration.md", "rooflog-verdicts(7)": "docs/user/verdicts.md",
        "rooflog-formats(7)": "docs/formats/formats.md", "rooflog-metrics(7)": "docs/formats/metrics.md"}


class Page:
    """One page: where it comes from and goes to, its name in the navigation, title, headings and body."""

    def __init__(self, group, source, address, label=None):
        self.group, self.source, self.address, self.label = group, source, address, label
        self.title, self.headings, self.body = "", [], ""


def stop(message):
    sys.exit(f"{HERE}/build.py: {message}")


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def plain(text):
    """The words of HTML."""
    return html.unescape(re.sub(r"<[^>]*>", "", text)).strip()


# --- the list of pages ---

def address_of(source):
    return "index.html" if source == "README.md" else re.sub(r"\.md$", ".html", source)


def commands_of(manual):
    """The manual pages of section 1: the program first."""
    if not manual:
        return
    for name in sorted(os.listdir(f"{manual}/man1"), key=lambda name: (name != "rooflog.1", name)):
        stem = name[:-len(".1")]
        yield Page(COMMANDS, f"{manual}/man1/{name}", f"commands/{stem}.html", stem.replace("rooflog-", ""))


def pages_of(manual):
    pages, group = [], None
    for number, line in enumerate(read(f"{HERE}/pages.txt").split("\n"), 1):
        line = line.strip()
        if line.startswith("["):
            group = line.strip("[]")
            if group == COMMANDS:
                pages.extend(commands_of(manual))
        elif line and not line.startswith("#"):
            source, _, label = (part.strip() for part in line.partition("|"))
            if not os.path.isfile(source):
                stop(f"pages.txt:{number}: no such page: {source}")
            pages.append(Page(group, source, address_of(source), label or None))
    listed = {page.source for page in pages}
    for folder, _, names in os.walk("docs"):
        for name in names:
            path = f"{folder}/{name}"
            if name.endswith(".md") and folder != "docs/man" and path not in listed:
                stop(f"{path} is in no group of {HERE}/pages.txt")
    return pages


# --- Markdown ---

def from_markdown(source):
    text = re.sub(r"\A---\n(.*?\n)---\n", r"```yaml\n\1```\n", read(source), flags=re.S)
    result = subprocess.run(["cmark-gfm", "--unsafe", "-e", "table", "-e", "strikethrough", "-e", "autolink", "-e", "tasklist"],
                            input=text, stdout=subprocess.PIPE, text=True, encoding="utf-8", check=True)
    return re.sub(r"<!--.*?-->\n?", "", result.stdout, flags=re.S)


# --- manual pages ---

def from_manual(source, pages):
    result = subprocess.run(["mandoc", "-T", "html", "-O", "fragment", source], stdout=subprocess.PIPE, text=True,
                            encoding="utf-8", check=True)
    body = re.search(r'<div class="manual-text">(.*)</div>\s*<table class="foot">', result.stdout, re.S).group(1)
    body = re.sub(r"<pre>.*?</pre>", lambda match: re.sub(r"\n?<br/>", "", match.group(0)), body, flags=re.S)
    body = re.sub(r'<h1 class="Sh"[^>]*><a [^>]*>(.*?)</a></h1>', lambda match: f"<h2>{heading(match.group(1))}</h2>", body,
                  flags=re.S)
    body = re.sub(r"</?section[^>]*>\n?", "", body)
    body = re.sub(r"(?<=<h2>Synopsis</h2>\n)<pre>.*?</pre>", lambda match: match.group(0).replace("\n       ", "\n"), body,
                  flags=re.S)
    body = re.sub(r"(?<=<h2>Description</h2>\n)<pre>(.*?)</pre>", unfilled, body, flags=re.S)
    body = re.sub(r"<dl [^>]*>((?:(?!</?dl).)*)</dl>", listed, body, flags=re.S)
    addresses = {f"{os.path.basename(page.source)[:-2]}(1)": page.source for page in pages if page.group == COMMANDS}
    addresses.update(SAME)

    def refer(match):
        target = addresses.get(f"{match.group(1)}({match.group(2)})")
        return f'<a href="/{target}"><b>{match.group(1)}</b></a>({match.group(2)})' if target else match.group(0)
    body = re.sub(r"<b>(rooflog[a-z-]*)</b>\((\d)\)", refer, body)
    name = os.path.basename(source)[:-2].replace("-", " ", 1)
    return f"<h1>{name}</h1>\n{body}"


def unfilled(match):
    """The text of a help page, whose lines were filled for a terminal: a long line goes on in the next."""
    return '<pre class="help">' + re.sub(r"(.{60,})\n(?=[^ \n])", r"\1 ", match.group(1)) + "</pre>"


def listed(match):
    """Items whose terms are dots or numbers are a list."""
    terms = set(re.findall(r"<dt>(.*?)</dt>", match.group(1), re.S))
    if not all(re.fullmatch(r"&#x2022;|\d+\.", term) for term in terms):
        return match.group(0)
    kind = "ul" if "&#x2022;" in terms else "ol"
    items = re.sub(r"<dt>.*?</dt>\s*", "", match.group(1), flags=re.S).replace("<dd>", "<li>").replace("</dd>", "</li>")
    return f"<{kind}>{items}</{kind}>"


def heading(text):
    """EXIT STATUS as Exit status."""
    return " ".join(text.split()).capitalize()


# --- what is common to both ---

def slug(text):
    """The anchor that a forge gives to a heading."""
    return re.sub(r"[^\w\- ]", "", text.lower()).replace(" ", "-")


def with_anchors(page, body):
    """Headings get their anchors; they are noted in page.headings."""
    seen = {}

    def anchor(match):
        level, inner = match.groups()
        name = base = slug(plain(inner))
        if base in seen:
            name = f"{base}-{seen[base]}"
        seen[base] = seen.get(base, 0) + 1
        page.headings.append((int(level), name, inner))
        if level == "1":
            return f'<h1 id="{name}">{inner}</h1>'
        return f'<h{level} id="{name}">{inner} <a class="anchor" href="#{name}" aria-label="Link to this section">#</a></h{level}>'
    return re.sub(r"<h([1-6])>(.*?)</h\1>", anchor, body, flags=re.S)


def command_lines(match):
    """The commands of a console block stand out."""
    return re.sub(r"^(\$|&gt;) .*", r'<span class="command">\g<0></span>', match.group(0), flags=re.M)


def dressed(body):
    """Wide tables scroll in themselves."""
    body = re.sub(r"<table[ >].*?</table>", r'<div class="wide">\g<0></div>', body, flags=re.S)
    return re.sub(r'(?<=<pre><code class="language-console">).*?(?=</code>)', command_lines, body, flags=re.S)


class Links:
    """Where links lead: to pages, to files that are copied, or nowhere in the site."""

    def __init__(self, pages):
        self.pages = {page.source: page for page in pages}
        self.anchors = {page.source: {name for _, name, _ in page.headings} for page in pages}
        self.copied = {}

    def target(self, page, link, shown=False):
        """The link as the site has it, or None; a picture that is shown is in the site."""
        if re.match(r"[a-z]+:", link):
            return link
        path, _, anchor = link.partition("#")
        source = page.source if not path else posixpath.normpath(
            path[1:] if path.startswith("/") else posixpath.join(posixpath.dirname(page.source), path))
        if source in self.pages:
            if anchor and anchor not in self.anchors[source]:
                stop(f"{page.source}: no such heading: {link}")
            to = posixpath.relpath(self.pages[source].address, posixpath.dirname(page.address) or ".") if path else ""
            return to + (f"#{anchor}" if anchor else "")
        if not os.path.exists(source):
            stop(f"{page.source}: no such file: {link}")
        if shown or os.path.isfile(source) and (source.startswith("docs/") or source == "LICENSE"):
            self.copied[source] = source if "." in posixpath.basename(source) else f"{source}.txt"
            return posixpath.relpath(self.copied[source], posixpath.dirname(page.address) or ".")
        return None

    def resolve(self, page, body):
        def attribute(match):
            return f'{match.group(1)}="{html.escape(self.target(page, html.unescape(match.group(2)), shown=True))}"'

        def link(match):
            to = self.target(page, html.unescape(match.group(1)))
            return match.group(2) if to is None else f'<a href="{html.escape(to)}">{match.group(2)}</a>'
        body = re.sub(r'<a href="([^"]*)">(.*?)</a>', link, body, flags=re.S)
        return re.sub(r"<(?:img|source)\b[^>]*>", lambda tag: re.sub(r'\b(src|srcset)="([^"]*)"', attribute, tag.group(0)), body)


# --- the site ---

def relative(page, address):
    return posixpath.relpath(address, posixpath.dirname(page.address) or ".")


def navigation(pages, page):
    lines, group = [], None
    for other in pages:
        if other.group != group:
            if group:
                lines.append("</ul></details>")
            group = other.group
            lines.append(f'<details{" open" if group == page.group else ""}><summary>{html.escape(group)}</summary><ul>')
        here = ' aria-current="page"' if other is page else ""
        lines.append(f'<li><a href="{relative(page, other.address)}"{here}>{html.escape(other.label or other.title)}</a></li>')
    return "\n".join(lines + ["</ul></details>"])


def on_this_page(page):
    sections = [(name, inner) for level, name, inner in page.headings if level == 2]
    if len(sections) < 3:
        return ""
    items = "\n".join(f'<li><a href="#{name}">{inner}</a></li>' for name, inner in sections)
    return f'<details class="sections"><summary>On this page</summary>\n<ul>\n{items}\n</ul></details>\n'


def neighbor(pages, page, step, word):
    at = pages.index(page) + step
    if not 0 <= at < len(pages):
        return ""
    other = pages[at]
    return f'<a rel="{word}" href="{relative(page, other.address)}">{html.escape(other.label or other.title)}</a>'


def contents(pages):
    """A page with all headings of all pages, to be searched by the browser."""
    page = Page("", "", "contents.html")
    page.title = "Contents"
    lines = ["<h1>Contents</h1>", "<p>All pages and their headings. Search here with the browser.</p>"]
    group = None
    for other in pages:
        if other.group != group:
            group = other.group
            lines.append(f"<h2>{html.escape(group)}</h2>")
        lines.append(f'<h3><a href="{other.address}">{html.escape(other.title)}</a></h3>')
        links = [f'<a href="{other.address}#{name}">{html.escape(plain(inner))}</a>'
                 for level, name, inner in other.headings if level in (2, 3)]
        lines.append(f'<p>{" · ".join(links)}</p>' if links else "")
    page.body = "\n".join(lines)
    return page


def write(folder, path, text):
    os.makedirs(os.path.dirname(f"{folder}/{path}") or ".", exist_ok=True)
    with open(f"{folder}/{path}", "w", encoding="utf-8", newline="\n") as file:
        file.write(text)


MARK = ".rooflog-docs"  # in a folder that this program may delete


def clear(folder):
    if os.path.isdir(folder) and os.listdir(folder) and not os.path.exists(f"{folder}/{MARK}"):
        stop(f"{folder} has something else than a site in it")
    shutil.rmtree(folder, ignore_errors=True)
    write(folder, MARK, "")


def main():
    if not 2 <= len(sys.argv) <= 3:
        stop("usage: build.py FOLDER [MANUAL]")
    folder, manual = sys.argv[1], sys.argv[2] if len(sys.argv) > 2 else None
    pages = pages_of(manual)
    bodies = {}
    for page in pages:
        body = from_manual(page.source, pages) if page.group == COMMANDS else from_markdown(page.source)
        bodies[page] = dressed(with_anchors(page, body))
        if not page.headings or page.headings[0][0] != 1:
            stop(f"{page.source} does not begin with a heading")
        page.title = plain(page.headings[0][2])
    links = Links(pages)
    for page in pages:
        page.body = links.resolve(page, bodies[page])
    version = re.search(r"project\(rooflog VERSION (\S+)", read("CMakeLists.txt")).group(1)
    clear(folder)
    template = string.Template(read(f"{HERE}/page.html"))
    all_contents = contents(pages)
    for page in [*pages, all_contents]:
        here = page is not all_contents
        # The list of sections follows the title and what introduces the page.
        body = re.sub(r"(?=<h2 )", lambda _: on_this_page(page), page.body, count=1)
        write(folder, page.address, template.substitute(
            title=html.escape("rooflog, the documentation" if page.source == "README.md" else f"{page.title} - rooflog"), body=body,
            start=relative(page, "index.html"), contents=relative(page, "contents.html"), style=relative(page, "style.css"),
            group=html.escape(page.group), navigation=navigation(pages, page), version=version,
            previous=neighbor(pages, page, -1, "prev") if here else "", next=neighbor(pages, page, 1, "next") if here else ""))
    shutil.copyfile(f"{HERE}/style.css", f"{folder}/style.css")
    for source, path in sorted(links.copied.items()):
        os.makedirs(os.path.dirname(f"{folder}/{path}") or ".", exist_ok=True)
        shutil.copyfile(source, f"{folder}/{path}")
    print(f"{folder}: {len(pages) + 1} pages, {len(links.copied)} files")


main()
