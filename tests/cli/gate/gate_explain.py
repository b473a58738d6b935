"""Computes again what "gate --explain SERIES --json" says, from its record and candidate alone, with
nothing of the program: noise, level, t, p by numerical integration, interval, q. Reads the JSON;
prints what disagrees by more than 1e-6, and how much was compared.
"""
import json
import math
import sys

WINSOR, POOL_WEIGHT, ASSUMED_WEIGHT, LEAST, LENT_TO, LIMIT = 3.5, 8, 4, 8, 20, 1e-6
compared = failures = 0


def equal(name, said, computed):
    global compared, failures
    compared += 1
    if said is None or not math.isclose(said, computed, rel_tol=LIMIT, abs_tol=1e-30):
        failures += 1
        print(f"FAILED: {name}: printed {said}, computed {computed}")


def median(values):
    v = sorted(values)
    n = len(v)
    return v[n // 2] if n % 2 else (v[n // 2 - 1] + v[n // 2]) / 2


def location(values):
    if len(values) < 5:
        return median(values)
    return median([(values[i] + values[k]) / 2 for i in range(len(values)) for k in range(i, len(values))])


def noise(x):
    d = [abs(b - a) for a, b in zip(x, x[1:])]
    if not d:
        return 1e-9
    spread = median(d) / (0.6744897501960817 * math.sqrt(2))
    if spread == 0:
        kept = sorted(d)[: len(d) * 9 // 10]
        spread = 0.886 * sum(kept) / len(kept) if kept else 0
    cap = WINSOR * math.sqrt(2) * spread
    near = math.sqrt(sum(min(one, cap) ** 2 for one in d) / len(d) / 2)
    return max(spread, near, 1e-9)


def t_upper(t, df):
    """P(T > t), by Simpson's rule in u = atan(t / sqrt(df))."""
    log_constant = math.lgamma((df + 1) / 2) - math.lgamma(df / 2) - 0.5 * math.log(math.pi)
    low, high, steps = math.atan(t / math.sqrt(df)), math.pi / 2, 2000
    width = (high - low) / steps

    def density(u):
        c = math.cos(u)
        return math.exp(log_constant + (df - 1) * math.log(c)) if c > 1e-300 else 0.0

    total = density(low) + density(high)
    total += sum((4 if i % 2 else 2) * density(low + i * width) for i in range(1, steps))
    return total * width / 3


def t_inverse(p, df):
    low, high = 0.0, 100.0
    for _ in range(50):
        middle = (low + high) / 2
        low, high = (middle, high) if t_upper(middle, df) > p else (low, middle)
    return low


def lent_weight(weight, pool, scale, n):
    """Degrees of freedom that lent noise is worth beside n commits with this scale of their own."""
    if n == 1:
        return weight
    spread = 2 / (9 * (n - 1))
    away = abs((scale / pool) ** (2 / 3) - 1 + spread) / math.sqrt(spread)
    fade = 1 if n < LEAST else (LENT_TO - n) / (LENT_TO + 1 - LEAST)
    return weight * fade * math.exp(-max(0, away - 1.5) ** 2 * min(1, (n - 1) / (LEAST - 1)) ** 2)


def q_of(p, family):
    """Benjamini and Hochberg."""
    n = len(family)
    return min(1.0, min(one * n / (sum(x <= one for x in family)) for one in family if one >= p))


def check(one, together):
    name, judge = one["name"], one["judge"]
    level = [p["value"]["value"] for p in one["record"]["points"] if p["of_level"]]
    runs = [v["value"] for m in one["candidate"]["measurements"] for v in m["values"]]
    if judge["runs"] == "repeat measurements":
        runs = [v["value"] for m in one["candidate"]["measurements"][1:] for v in m["values"]]
    turn = {"ln(value)": math.log, "ln(1 / value)": lambda v: -math.log(v)}.get(judge["values"])
    size = 1.0
    if not turn:
        size = median([abs(v) for v in level]) or sum(map(abs, level)) / len(level)
        turn = lambda v: v / size
    x, now, n = [turn(v) for v in level], location([turn(v) for v in runs]), len(level)
    middle, sigma = median(x), noise(x)
    e = [max(-WINSOR * sigma, min(WINSOR * sigma, v - middle)) for v in x]
    mean = sum(e) / n
    scale = max(math.sqrt(sum(v * v for v in e) / (n - 1)) if n > 1 else 0, 0.8 * sigma)
    around = sum((v - mean) ** 2 for v in e)
    rho = sum((a - mean) * (b - mean) for a, b in zip(e, e[1:])) / around if around else 0
    rho = max(-0.9, min(0.9, rho + 1 / n))
    ratio = (1 + rho) / (1 - rho) if rho > 0 and n >= 3 else 1
    df, widening, center = max(4, n / ratio), 1 + ratio / n, middle + mean
    logs = judge["values"] != "value"
    relative = 1 if logs else abs(center)
    if n > 1:
        equal(f"{name} own scale", judge["own_scale"], scale / relative)
    if judge["borrowed"]:
        assumed = judge.get("noise_assumed")
        pool = assumed or one["record"]["noise_of_sisters"] * relative
        weight = lent_weight(ASSUMED_WEIGHT if assumed else POOL_WEIGHT, pool, scale, n)
        scale = math.sqrt((weight * pool**2 + (n - 1) * scale**2) / (weight + n - 1))
        df = max(4, weight + (n - 1) / (1 + (ratio - 1) * min(1, (n - 1) / (LENT_TO - 1))))
    reach = scale * math.sqrt(widening)
    wide = t_inverse(0.025, df) * reach
    effect = (lambda d: math.expm1(d)) if logs else (lambda d: d / relative)
    equal(f"{name} commits", judge["commits"], n)
    equal(f"{name} scale", judge["scale"], scale / relative)
    equal(f"{name} df", judge["df"], df)
    equal(f"{name} widening", judge["widening"], widening)
    equal(f"{name} effect", judge["effect"], effect(now - center))
    equal(f"{name} low", judge["effect_low"], effect(now - center - wide))
    equal(f"{name} high", judge["effect_high"], effect(now - center + wide))
    equal(f"{name} t", judge["t"], (now - center) / reach)
    equal(f"{name} p slower", judge["p_slower"], t_upper((now - center) / reach, df))
    equal(f"{name} p faster", judge["p_faster"], t_upper((center - now) / reach, df))
    equal(f"{name} detectable", judge["detectable"], effect((t_inverse(0.01, df) + 0.84) * reach))
    equal(f"{name} q slower", one["q_slower"], q_of(one["p_slower"], together["p_slower"]))
    equal(f"{name} q faster", one["q_faster"], q_of(one["p_faster"], together["p_faster"]))


document = json.load(sys.stdin)
for explained in document["explained"]:
    if "judge" in explained:
        check(explained, document["judged_together"])
print(f"{compared} compared, {failures} differ")
sys.exit(failures > 0 or compared == 0)
