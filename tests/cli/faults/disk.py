"""A disk that loses power: what record_writes.c recorded, and the images it may leave.

A file's writes, and its changes of size, are on the disk once the file is synced; names in a
directory once the directory is synced. Until then each write may be there, be missing, or be there
in some of its sectors. Names reach the disk in order, as file systems with a journal keep them.
"""
import os

SECTOR = 512  # bytes that a disk writes whole


class File:
    def __init__(self, data=b""):
        self.synced = data
        self.pending = []  # (offset, bytes) or (None, size)


class Directory:
    def __init__(self, entries=None):
        self.synced = entries or {}
        self.pending = []  # functions that change a dictionary of names


def apply(data, operations):
    data = bytearray(data)
    for at, what in operations:
        size = what if at is None else max(len(data), at + len(what))
        data = data[:size].ljust(size, b"\0")
        if at is not None:
            data[at:at + len(what)] = what
    return bytes(data)


def read_events(path):
    """The events of a record: lists of words and bytes."""
    events = []
    with open(path, "rb") as record:
        while line := record.readline():
            words = line.decode().rstrip("\n").split(" ")
            if words[0] in ("open", "mkdir"):
                words[2:] = [" ".join(words[2:])]
            elif words[0] == "unlink":
                words[1:] = [" ".join(words[1:])]
            elif words[0] == "write":
                words.append(record.read(int(words[3])))
            elif words[0] == "rename":
                words[1:] = record.read(int(words[1])).decode().split("\0")
            events.append(words)
    return events


class Disk:
    """Begins as the folder `root` is now, of which only `entries` count; events are applied one by
    one."""

    def __init__(self, root, entries):
        self.root = root
        self.entries = entries
        self.nodes = {}    # the present meaning of each inode number
        self.names = {}    # path: node, as the running program sees it
        self.load(root)

    def load(self, path):
        number = str(os.stat(path).st_ino)
        if os.path.isdir(path):
            node = Directory({name: self.load(os.path.join(path, name))
                              for name in os.listdir(path) if self.counts(path, name)})
        else:
            with open(path, "rb") as file:
                node = File(file.read())
        self.nodes[number] = self.names[path] = node
        return node

    def counts(self, path, name):
        return name in self.entries if path == self.root else not name.endswith("-shm")

    def change_names(self, path, change):
        self.names[os.path.dirname(path)].pending.append(change)

    def add(self, number, path, node):
        name = os.path.basename(path)
        self.nodes[number] = self.names[path] = node
        self.change_names(path, lambda names: names.update({name: node}))

    def event(self, words, without_sync=False):
        kind = words[0]
        if kind == "open":
            if words[2] not in self.names:
                self.add(words[1], words[2], File())
            assert self.names[words[2]] is self.nodes[words[1]], words[:3]
        elif kind == "mkdir":
            self.add(words[1], words[2], Directory())
        elif kind == "write":
            self.nodes[words[1]].pending.append((int(words[2]), words[4]))
        elif kind == "size":
            self.nodes[words[1]].pending.append((None, int(words[2])))
        elif kind == "sync" and not without_sync:
            self.sync(self.nodes[words[1]])
        elif kind == "unlink":
            name = os.path.basename(words[1])
            del self.names[words[1]]
            self.change_names(words[1], lambda names: names.pop(name, None))
        elif kind == "rename":
            old, new = words[1:]
            assert os.path.dirname(old) == os.path.dirname(new)
            self.names[new] = self.names.pop(old)
            self.change_names(new, lambda names: rename_in(names, os.path.basename(old),
                                                           os.path.basename(new)))

    def sync(self, node):
        if isinstance(node, Directory):
            for change in node.pending:
                change(node.synced)
        else:
            node.synced = apply(node.synced, node.pending)
        node.pending = []

    def image(self, choose):
        """The files {path relative to root: bytes} (directories: None) after a power failure;
        choose(node) selects among its pending operations."""
        files = {}

        def walk(node, path):
            if isinstance(node, File):
                files[path] = apply(node.synced, choose(node))
                return
            names = dict(node.synced)
            for change in choose(node):
                change(names)
            if path:
                files[path] = None
            for name in sorted(names):
                walk(names[name], os.path.join(path, name))

        walk(self.names[self.root], "")
        return files


def rename_in(names, old, new):
    if old in names:
        names[new] = names.pop(old)


# --- what may be there of the pending operations of a file or a directory ---

def everything(node):
    return node.pending


def nothing(_node):
    return []


def names_only(node):
    return node.pending if isinstance(node, Directory) else []


def data_only(node):
    return node.pending if isinstance(node, File) else []


def torn_last(written, sectors):
    """The last write to the file `written` reached the disk in its first sectors only."""
    def choose(node):
        if node is not written or not node.pending or node.pending[-1][0] is None:
            return node.pending
        at, data = node.pending[-1]
        first = SECTOR - at % SECTOR + SECTOR * (sectors - 1) if sectors else 0
        return node.pending[:-1] + [(at, data[:first])]
    return choose


def some(random):
    """Any subset of writes and sectors, and the first of the changes of names."""
    share = random.choice((0.1, 0.5, 0.9))

    def choose(node):
        if isinstance(node, Directory):
            return node.pending[:random.randint(0, len(node.pending))]
        result = []
        for at, what in node.pending:
            if random.random() >= share:
                continue
            if at is None or random.random() < 0.7:
                result.append((at, what))
                continue
            result += [piece for piece in sectors_of(at, what) if random.random() < 0.5]
        return result
    return choose


def sectors_of(at, data):
    end = at + len(data)
    cuts = [at, *range(at - at % SECTOR + SECTOR, end, SECTOR), end]
    return [(a, data[a - at:b - at]) for a, b in zip(cuts, cuts[1:])]
