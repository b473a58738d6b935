"""Which characters do not show, by the categories of Unicode; the program has ranges (base/text)."""
import unicodedata

SINGLE = "\u034f\u115f\u1160\u17b4\u17b5\u2010\u2011\u2800\u3164\uffa0"


def is_hidden(character):
    code = ord(character)
    if character in SINGLE or 0xFE00 <= code <= 0xFE0F or code >= 0xE0000 or code & 0xFFFE == 0xFFFE:
        return True
    if 0x300 <= code <= 0x36F:
        return True
    return character != " " and unicodedata.category(character) in ("Cc", "Cf", "Co", "Zs", "Zl", "Zp")


def shown(text):
    """A value in formats that cannot escape it."""
    return "".join(f"<U+{ord(c):04X}>" if c not in "\t\n" and is_hidden(c) else c for c in text)
