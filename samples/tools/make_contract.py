"""samples/formats of a profiling run's own files: report.md, tiling/<stage>.json, autotuning.json; and
samples/contract, a whole tree of them."""
import json

STAGES = """# Profile: mla_var6_plus v4

| Stage | Duration (us) | TC% | DRAM% | Occ% | L2 hit | Key Issue |
|---|---|---|---|---|---|---|
| absorb | 61.25 | 71.5 | 33.0 | 24.8 | 88.1% | -- |
| attention | 380.5 | 42.0 | 81.5 | 31.2 | 74.0% | L2 hit < 80% |
"""
TOTAL = """# Event profile

| Metric | Value |
|---|---|
| Duration | 452.5 \u03bcs |
| Achieved TFLOPs/s | 91.2 |
| Occupancy | -- |
"""
PARAMS = {"kernel": "mla_var6_plus", "version": "v4", "device": "RTX 5090", "dtype": "bfloat16",
          "b": 32, "s": 16, "t": 4096, "h": 128, "d": 128, "k": 512, "p": 64}
TILING = {"Bm": 64, "Bn": 128, "num_warps": 8, "swizzle": True}
TRIALS = [{"config": {"Bm": 64, "Bn": 64}, "time_us": 402.25},
          {"config": {"Bm": 64, "Bn": 128}, "time_us": 380.5},
          {"config": {"Bm": 128, "Bn": 128}, "time_us": None, "error": "out of shared memory"}]


def write(writer):
    folder = "formats/companions/profile-report/"
    writer.write(folder + "sample-stages.md", STAGES)
    writer.write(folder + "sample-total.md", TOTAL)
    writer.write(folder + "args", "--set kernel=mla_var6_plus,dtype=bf16,device=rtx-5090\n")
    writer.write(folder + "malformed-number.md", STAGES.replace("61.25", "fast"))
    writer.write(folder + "malformed-unit.md", TOTAL.replace(" \u03bcs", ""))
    writer.write(folder + "malformed-empty.md", STAGES.split("| absorb")[0])
    writer.write(folder + "malformed-untimed.md", STAGES.replace("61.25", "--"))

    folder = "formats/companions/tiling/"
    writer.json(folder + "sample.json", TILING)
    writer.write(folder + "malformed-cut.json", json.dumps(TILING)[:30])
    writer.json(folder + "malformed-control.json", dict(TILING, note="a\nb"))
    deep = 1
    for _ in range(6):
        deep = {"Bm": deep}
    writer.json(folder + "malformed-deep.json", deep)

    folder = "formats/companions/autotuning/"
    writer.json(folder + "sample.json", {"kernel": "attention", "history": TRIALS})
    writer.json(folder + "sample-flat.json", [{"Bm": 32, "duration_ms": 0.5},
                                              {"Bm": 64, "duration_ms": 0.25}])
    writer.json(folder + "malformed-text.json", [dict(TRIALS[0], time_us="soon")])
    writer.json(folder + "malformed-negative.json", [dict(TRIALS[0], time_us=-1)])
    writer.json(folder + "malformed-nameless.json", [TRIALS[0], {"time_us": 3}])
    writer.json(folder + "malformed-untimed.json", [TRIALS[2]])

    for mode, text in (("annotation", STAGES), ("event", TOTAL)):
        run = "contract/out/profiles/%s/mla_var6_plus/b32_s16_t4096/20260301-0900/" % mode
        writer.json(run + "params.json", PARAMS)
        writer.write(run + "report.md", text)
        writer.json(run + "tiling/attention.json", TILING)
        writer.json(run + "tiling/attention/autotuning.json", TRIALS)
