"""samples/devlog: development logs as people write them, in English and in Chinese."""

ENGLISH = """\
# Attention

Fused attention for trn2.

## Development log

### V1: a row block at a time

**Location**: `kernels/attention.py`

**What changed**: softmax(Q K^T) V for 128 rows of Q at a time.

**Performance** (trn2, bfloat16, b=1, d=128, h=1, s=512):

| Metric   | Value    | vs Previous |
| -------- | -------- | ----------- |
| Duration | 33.10 μs | --          |

**Bottleneck**: Latency-bound

**Issues**:
- K is loaded again for every block of rows; see the [tracker](https://example.org/issues/12).

**Insights**:
- `exp` on the scalar engine is the longest chain:

  ```text
  ### V9: not an entry
  **Performance**: neither
  ```

### V2: spill K only above 2048 rows

**Location**: `kernels/attention.py`

**What changed**: short sequences keep K in SBUF.

**Issues**:
- [Remaining problems]

**Insights**:
- [Key lessons — why optimization worked or didn't]
- [Guidance for next iteration]

## Appendix

Shapes are those of the model.
"""

CHINESE = """\
# Attention

面向trn2的融合注意力内核。

## 开发日志

### V2：仅在2048行以上溢出K

**位置**：`kernels/attention.py`

**改动**：短序列把K留在SBUF中。

**现存问题**：
- [剩余问题]

**洞察**：
- 短序列不需要溢出，这一点由人写下，不会被改动。

### V1：每次处理一个行块

**改动**：每次处理128行Q。
"""


def write(writer):
    writer.write("devlog/attention.md", ENGLISH)
    writer.write("devlog/attention-zh.md", CHINESE)
