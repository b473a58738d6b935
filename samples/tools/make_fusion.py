"""samples/formats of the fusion profiles: profile_result.json, profile_fusion_ops.py, end to end."""
import json


def table(ops, factor):
    """op -> shape -> ms: invented, with a fixed cost a launch and a rate."""
    return {op: {str(list(shape)): round((fixed + each * shape[0] * shape[1]) * factor, 4)
                 for shape in shapes}
            for op, (fixed, each, shapes) in ops.items()}


SHAPES = [(1, 128, 1024), (1, 512, 1024), (1, 2048, 1024), (8, 1, 1024)]
OPS = {"add+rms_norm": (0.0104, 0.000113, SHAPES),
       "silu+mul": (0.0092, 0.000171, SHAPES[:3])}


def write_profile(writer):
    folder = "formats/fusion/fusion-profile/"
    profile = {"unfused": table(OPS, 1.5), "fused": table(OPS, 1)}
    # One shape where fusing does not pay, and one that was only timed unfused.
    profile["fused"]["silu+mul"]["[1, 2048, 1024]"] = 0.5391
    profile["unfused"]["silu+mul"]["[4, 1, 1024]"] = 0.0151
    text = json.dumps(profile, indent=2)
    single = {"single": {"add": 0.0211, "rms_norm": 0.1482, "mul": 0.0413, "silu": 0.0397},
              "fused": {"add+rms_norm": 0.1203, "silu+mul": 0.081, "mul+gelu": 0.0617}}
    writer.write(folder + "sample-shapes.json", text)
    writer.write(folder + "sample-single.json", json.dumps(single, indent=2))
    writer.write(folder + "args", "--set dtype=fp16,device=a100-sxm-80gb\n")
    writer.write(folder + "malformed-cut.json", text[:len(text) * 2 // 3])
    writer.write(folder + "malformed-shape.json", text.replace("[1, 512, 1024]", "[1,512,1024]"))
    writer.write(folder + "malformed-negative.json", text.replace("0.5391", "-0.5391"))
    writer.write(folder + "malformed-list.json", text.replace('"fused": {', '"fused": {"x": [1],'))
    writer.write(folder + "malformed-operator.json",
                 json.dumps(dict(single, fused={"add++rms_norm": 0.12})))


def write_ops(writer):
    folder = "formats/fusion/fusion-ops/"
    random_ms = iter([0.021354810334742069, 0.03918247297406197, 0.041772529669106007,
                      0.022481000050902367, 0.030152838677167892,
                      0.0189213827252388, 0.024619523435831071, 0.029174942523241043])
    profiles = []
    for hidden, batch, length in ((1024, 1, 128), (1024, 8, 1)):
        add, norm, fused = next(random_ms), next(random_ms), None
        if batch == 1:
            fused = next(random_ms)
            silu, mul = next(random_ms), next(random_ms)
            # The producer's stand-in for an operator that is not there.
            swiglu = {"silu": silu, "mul": mul, "silu+mul": silu + mul}
        else:
            fused = next(random_ms)
            swiglu = {"error": "out of memory"}
        profiles.append({"shape": {"hidden_size": hidden, "batch_size": batch, "seq_len": length},
                         "shape_key": "h%d_b%d_s%d" % (hidden, batch, length),
                         "add_rms_norm": {"add": add, "rms_norm": norm, "add+rms_norm": fused},
                         "swiglu": swiglu})
    good = {"metadata": {"device": "cuda", "dtype": "float16", "warmup": 5, "iterations": 100,
                         "timestamp": "2026-03-01 10:00:00"}, "profiles": profiles}
    text = json.dumps(good, indent=2)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "args", "--set device=a100-sxm-80gb\n")
    writer.write(folder + "malformed-cut.json", text[:len(text) * 2 // 3])
    writer.write(folder + "malformed-size.json", text.replace('"seq_len": 128', '"seq_len": 0'))
    writer.write(folder + "malformed-text.json", text.replace("0.03918247297406197", '"slow"'))
    writer.write(folder + "malformed-pattern.json", text.replace("add+rms_norm", "add_rms"))


def write_e2e(writer):
    folder = "formats/fusion/fusion-e2e/"

    def times(total, prefill, decode):
        share = round(total * prefill / (prefill + decode), 4)
        return {"total_ms": total, "prefill_ms": share, "decode_ms": round(total - share, 4),
                "input_len": prefill, "output_len": float(decode), "runs": 3}

    totals = {"never_fuse": (212.4181, 840.2066, 1630.5507),
              "always_fuse": (198.0312, 846.9027, 1391.2263),
              "smart_schedule": (196.2203, 801.115, 1380.771)}
    lengths = ((128, 16), (16, 64), (128, 128))
    good = {"config": {"device": "cuda", "model_path": "/models/example-1b/", "runs": 3,
                       "warmup": 1, "strategies": list(totals), "profile_configs": [
                           {"prefill": p, "decode": d, "desc": "example"} for p, d in lengths]},
            "results": {strategy: {"[prefill=%d, decode=%d]" % pair: times(total, *pair)
                                   for pair, total in zip(lengths, row)}
                        for strategy, row in totals.items()}}
    text = json.dumps(good, indent=2)
    writer.write(folder + "sample.json", text)
    writer.write(folder + "args", "--set dtype=bf16,device=a100-sxm-80gb\n")
    writer.write(folder + "malformed-cut.json", text[:len(text) * 2 // 3])
    writer.write(folder + "malformed-key.json", text.replace("[prefill=16, decode=64]",
                                                             "[prefill=16, decode=]"))
    writer.write(folder + "malformed-total.json", text.replace('"total_ms": 840.2066',
                                                               '"total_ms": "840.2066"'))
    writer.write(folder + "malformed-missing.json", text.replace('"total_ms"', '"mean_ms"'))


def write(writer):
    write_profile(writer)
    write_ops(writer)
    write_e2e(writer)
