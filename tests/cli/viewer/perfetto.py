"""perfetto.py check TRACE PROFILE   the trace has every event of the JSON profile, in valid packets
perfetto.py valid TRACE           only that its packets are valid; prints how many slices and instants"""
import json
import sys

# Of protos/perfetto/trace: field: (name, wire type or the message that it holds).
MESSAGES = {
    "Trace": {1: ("packet", "TracePacket")},
    "TracePacket": {8: ("timestamp", 0), 10: ("trusted_packet_sequence_id", 0), 11: ("track_event", "TrackEvent"),
                    12: ("interned_data", "InternedData"), 13: ("sequence_flags", 0), 60: ("track_descriptor", "TrackDescriptor")},
    "TrackDescriptor": {1: ("uuid", 0), 2: ("name", 2), 5: ("parent_uuid", 0), 11: ("child_ordering", 0), 12: ("sibling_order_rank", 0)},
    "TrackEvent": {3: ("category_iids", 0), 4: ("debug_annotations", "DebugAnnotation"), 9: ("type", 0), 10: ("name_iid", 0), 11: ("track_uuid", 0)},
    "DebugAnnotation": {1: ("name_iid", 0), 3: ("uint_value", 0), 6: ("string_value", 2)},
    "InternedData": {1: ("event_categories", "Named"), 2: ("event_names", "Named"), 3: ("debug_annotation_names", "Named")},
    "Named": {1: ("iid", 0), 2: ("name", 2)},
}
BEGIN, END, INSTANT = 1, 2, 3


def varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number |= (byte & 127) << shift
        at += 1
        shift += 7
        if byte < 128:
            assert number < 1 << 64
            return number, at


def message(data, kind):
    """The fields of a message: name: list of values. Unknown fields and wrong types fail."""
    at, fields = 0, {}
    while at < len(data):
        key, at = varint(data, at)
        name, wanted = MESSAGES[kind][key >> 3]
        assert (key & 7) == (0 if wanted == 0 else 2), (kind, name)
        value, at = varint(data, at)
        if wanted != 0:
            size, at = value, at + value
            assert at <= len(data), (kind, name)
            value = data[at - size:at]
            value = value.decode() if wanted == 2 else message(value, wanted)
        fields.setdefault(name, []).append(value)
    return fields


def slices(trace):
    """(core, track, begin, duration, category, name, arguments) of each event; checks the packets on the way."""
    names, categories, arguments, tracks, open_slices, now, first = {}, {}, {}, {}, {}, {}, True
    for packet in message(trace, "Trace")["packet"]:
        assert packet["trusted_packet_sequence_id"] == [1]
        assert packet["sequence_flags"] == [1 if first else 2]
        first = False
        for kind, known in (("event_categories", categories), ("event_names", names), ("debug_annotation_names", arguments)):
            for one in packet.get("interned_data", [{}])[0].get(kind, []):
                assert one["iid"][0] > 0 and one["iid"][0] not in known
                known[one["iid"][0]] = one["name"][0]
        for track in packet.get("track_descriptor", []):
            assert track["uuid"][0] not in tracks and track["uuid"][0] > 0
            parent = track.get("parent_uuid", [None])[0]
            assert parent is None or parent in tracks
            tracks[track["uuid"][0]] = (tracks[parent][1] if parent else None, track["name"][0])
        for event in packet.get("track_event", []):
            uuid, time, kind = event["track_uuid"][0], packet["timestamp"][0], event["type"][0]
            assert tracks[uuid][0] is not None, "an event on a group"
            assert now.get(uuid, 0) <= time, "time goes backwards"
            now[uuid] = time
            if kind == END:
                start, *rest = open_slices.pop(uuid)
                yield (*tracks[uuid], start, time - start, *rest)
                continue
            assert uuid not in open_slices, "slices overlap"
            told = {arguments[one["name_iid"][0]]: (one.get("string_value") or one["uint_value"])[0] for one in event.get("debug_annotations", [])}
            rest = (categories[event["category_iids"][0]], names[event["name_iid"][0]], told)
            if kind == BEGIN:
                open_slices[uuid] = (time, *rest)
            else:
                assert kind == INSTANT
                yield (*tracks[uuid], time, 0, *rest)
    assert not open_slices, "slices without an end"


def main():
    with open(sys.argv[2], "rb") as file:
        found = list(slices(file.read()))
    if sys.argv[1] == "valid":
        for one in found:
            told = one[6]
            if "start_ps" in told:
                assert abs(told["start_ps"] - one[2] * 1000) <= 500, one
                assert abs(told["duration_ps"] - one[3] * 1000) <= 1000, one
        print(sum(one[3] > 0 for one in found), sum(one[3] == 0 for one in found), any("start_ps" in one[6] for one in found))
        return
    with open(sys.argv[3], encoding="utf-8") as file:
        profile = json.load(file)
    wanted = []
    for row in profile["instruction"]:
        told = {"operands": row["operands"].strip()}
        if "nki_source_location" in row:
            told["source"] = row["nki_source_location"]
        waits = row["opcode"] == "EVENT_SEMAPHORE"
        wanted.append((row["subgraph"], row["subgroup"].lower(), row["timestamp"], row["duration"], "wait" if waits else "engine", row["opcode"], told))
    for row in profile["dma"]:
        wanted.append((row["subgraph"], row["subgroup"], row["timestamp"], row["duration"], "queue", row["queue_type"], {"operands": "%d B" % row["transfer_size"]}))
    for row in profile["semaphore_update"]:
        wanted.append((row["subgraph"], "semaphore " + row["id"], row["timestamp"], 0, "semaphore", "= %d" % row["value"], {}))
    key = lambda one: json.dumps(one, sort_keys=True)
    assert sorted(map(key, found)) == sorted(map(key, wanted)), (len(found), len(wanted))


main()
