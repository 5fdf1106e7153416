"""The page of the C reference, from holonom.h: every function, type and macro with its comment, an anchor, and links between them."""

import pathlib
import re
import textwrap

HEADER = pathlib.Path(__file__).resolve().parent.parent / "simulation/holonom.h"
BLOCK = re.compile(r"(?ms)^/\*(.*?)\*/\n(.*?)(?=^/\*|^#ifdef __cplusplus|\Z)")
COMMENT = re.compile(r"(?s)/\*.*?\*/")
DECLARATION = re.compile(r"(?s)#define[^\n]*|typedef (?:struct|enum) \w+ \{.*?\} \w+;|enum \{.*?\};|(?:HOL_API|typedef) [^;{]*;")


def comment_text(comment):
    return textwrap.dedent(re.sub(r"(?m)^ \*(?: |$)", "", " * " + comment.strip()))


def link(word, functions, types):
    role = "func" if word in functions else "type" if word in types else None
    return f":c:{role}:`{word}`" if role else f"``{word}``"


def prose(text, functions, types):
    """reStructuredText of a comment: names become links; indented lines stay as they are."""
    lines = []
    for paragraph in re.split(r"\n\s*\n", text):
        if re.match(r" {2,}", paragraph):
            lines += ["::", "", textwrap.indent(textwrap.dedent(paragraph), "  ")]
        else:
            words = re.sub(r"`([^`]*)`|([\\*|])|\b(hol_\w+|HOL_[A-Z_]+)\b|(\w)_(?!\w)", lambda m: (
                f"``{m[1]}``" if m[1] else "\\" + m[2] if m[2] else link(m[3], functions, types) if m[3] else m[4] + "\\_"), paragraph)
            lines.append(words)
        lines.append("")
    return "\n".join(lines)


def one_line(code):
    return re.sub(r"\s+", " ", COMMENT.sub("", code)).strip().rstrip(";")


def directive(name, signatures, body=""):
    head = f".. c:{name}:: " + ("\n" + " " * (len(name) + 9)).join(signatures)
    return head + "\n\n" + textwrap.indent(body, "   ") + "\n"


def code_block(code):
    return ".. code-block:: c\n\n" + textwrap.indent(code.strip(), "   ") + "\n"


def of_type(code):
    """Directive and signature of a declaration that is not a function."""
    if macro := re.match(r"#define (\w+)", code):
        return "macro", macro[1]
    if value := re.match(r"enum \{\s*(\w+)", code):
        return "macro", value[1]
    if group := re.match(r"typedef (struct|enum) (\w+) \{", code):
        return group[1], group[2]
    name = one_line(code)[len("typedef ") :]
    same = re.fullmatch(r"struct (\w+) \1", name)
    return "type", same[1] if same else name


def describe(comment, declarations, functions, types):
    text = prose(comment_text(comment), functions, types)
    calls = [one_line(d)[len("HOL_API ") :] for d in declarations if d.startswith("HOL_API")]
    macros = [d for d in declarations if d.startswith("#define")]
    parts = [directive("function", calls, text)] if calls else []
    if macros:
        parts.append(directive("macro", [of_type(m)[1] for m in macros], text + "\n" + code_block("\n".join(macros))))
    for declaration in (d for d in declarations if d not in macros and not d.startswith("HOL_API")):
        name, signature = of_type(declaration)
        first = text if not parts else ""
        shown = "" if declaration.startswith("typedef") and "{" not in declaration else code_block(declaration)
        parts.append(directive(name, [signature], first + "\n" + shown))
    return "\n".join(parts)


def page():
    """Markdown of the page; the header's first comment is its introduction."""
    blocks = BLOCK.findall(HEADER.read_text())
    code = COMMENT.sub("", HEADER.read_text())
    functions = set(re.findall(r"\b(hol_\w+)\(", code))
    types = set(re.findall(r"\b(hol_\w+);", code)) | set(re.findall(r"\(\*(hol_\w+)\)", code))
    parts = [prose(comment_text(blocks[0][0]), functions, types)]
    for comment, text in blocks[1:]:
        declarations = [m[0] for m in DECLARATION.finditer(text) if not m[0].startswith("#define HOL_API")]
        if declarations:
            parts.append(describe(comment, declarations, functions, types))
    return "```{eval-rst}\n" + "\n".join(parts) + "\n```\n"


def setup(app):
    def fill(_, document, source):
        if document == "docs/reference/c":
            source[0] = source[0].replace("<!-- holonom.h -->", page())

    app.connect("source-read", fill)
    return {"parallel_read_safe": True}
