"""Links the first occurrence of each term of the glossary on every page of the manual."""

import re

from docutils import nodes

GLOSSARY = "docs/glossary"
PLAIN = {"block", "coordinate", "group", "letter", "parameter", "word"}  # also everyday words: linked on pages that explain them alone
PAGES = re.compile(r"docs/(?!glossary|notes/|reference/|papers|index)[\w-]+$")
LEFT_ALONE = (nodes.reference, nodes.literal, nodes.literal_block, nodes.title, nodes.math, nodes.raw, nodes.term)


def terms_of(glossary):
    """(pattern, anchor) of each heading."""
    for section in glossary.findall(nodes.section):
        title = section.next_node(nodes.title).astext()
        if section.parent is not glossary and title not in PLAIN:
            yield re.compile(rf"\b{re.escape(title)}(?:e?s)?\b", re.I if title.islower() else 0), section["ids"][0]


def texts_of(page):
    for text in page.findall(nodes.Text):
        parent = text.parent
        while parent is not None and not isinstance(parent, LEFT_ALONE):
            parent = parent.parent
        if parent is None:
            yield text


def link_first(page, pattern, uri):
    for text in list(texts_of(page)):
        if found := pattern.search(text):
            link = nodes.reference("", found[0], internal=True, refuri=uri, classes=["glossary"])
            before, after = text[: found.start()], text[found.end() :]
            text.parent.replace(text, [nodes.Text(before), link, nodes.Text(after)])
            return


def add_links(app, page, name):
    if PAGES.match(name):
        for pattern, anchor in terms_of(app.env.get_doctree(GLOSSARY)):
            link_first(page, pattern, f"{app.builder.get_relative_uri(name, GLOSSARY)}#{anchor}")


def setup(app):
    app.connect("doctree-resolved", add_links)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
