"""samples/formats/npu/npu-matmul-csv: invented latencies with steps at the tile boundaries."""

TILES = "M,K,N,latency_ms,num_tiles_M,num_tiles_K,num_tiles_N,total_tiles"


def tiles(size, tile):
    return -(-size // tile)


def latency(m, k, n, jitter):
    """0.24 ms of dispatch, 1.9 us a tile, and a whole number of us of noise."""
    work = 0.0019 * tiles(m, 128) * tiles(k, 128) * tiles(n, 512)
    return "%.4f" % (0.24 + work + 0.001 * (jitter * 7 % 4))


def sweep(shapes, n_tile=512):
    lines = [TILES]
    for i, (m, k, n) in enumerate(shapes):
        counts = (tiles(m, 128), tiles(k, 128), tiles(n, n_tile))
        lines.append("%d,%d,%d,%s,%d,%d,%d,%d" % (
            (m, k, n, latency(m, k, n, i)) + counts + (counts[0] * counts[1] * counts[2],)))
    return "\n".join(lines) + "\n"


def write(writer):
    folder = "formats/npu/npu-matmul-csv/"
    writer.write(folder + "args", "--set dtype=fp16,device=inf2\n")
    prefill = [(m, 1024, 4096) for m in range(64, 2049, 64)]
    writer.write("prefill.csv", sweep(prefill))
    writer.write(folder + "sample-prefill.csv", sweep(prefill[3::8]))
    writer.write(folder + "sample-other-tiles.csv",
                 sweep([(128, 128, n) for n in (128, 256, 512, 768)], 128))
    writer.write(folder + "sample-cycles.csv",
                 "M,K,N,latency_ms,cycles,latency_per_cycle\n"
                 "32,64,128,0.25,222,0.0011261261261261261\n"
                 "64,64,128,0.251,254,0.0009881889763779528\n"
                 "64,64,128,0.253,254,0.000996062992125984\n")
    writer.write(folder + "sample-\ubc84\ud0b7.csv",
                 "actual_N,bucket_N,padding_size,padding_pct,npu_only_ms,npu_only_std,e2e_ms,"
                 "e2e_std,e2e_overhead_ms\n"
                 "100,128,28,28.0,0.25,0.008,0.75,0.016,0.5\n"
                 "200,256,56,28.0,0.255,0.008,1.02,0.016,0.765\n")
    writer.write(folder + "sample-ffn.csv",
                 "batch_seq_actual,batch_seq_bucket,hidden_dim,intermediate_dim,padding_size,"
                 "padding_pct,npu_only_ms,npu_only_std\n100,128,1024,4096,28,28.0,0.5,0.02\n")
    writer.write(folder + "sample-tflops.csv",
                 "bucket_N,flops,latency_ms,latency_std,tflops\n"
                 "128,4194304,0.25,0.008,0.016777216\n")
    writer.write(folder + "sample-chain.csv",
                 "M,K1,K2,N,intermediate_size,intermediate_bytes,flops,bytes_fused,"
                 "bytes_separate,ai_fused,ai_separate,separate_ms,separate_std,fused_ms,"
                 "fused_std,difference_ms,fusion_effective\n"
                 "64,256,512,256,32768,65536,33554432,589824,720896,56.889,46.545,0.5,0.02,0.4,"
                 "0.02,0.1,True\n")
    good = sweep(prefill[:4])
    writer.write(folder + "malformed-cut.csv", good[:good.rindex(",")])
    writer.write(folder + "malformed-text.csv", good.replace(latency(128, 1024, 4096, 1), "soon"))
    writer.write(folder + "malformed-size.csv", good.replace("\n128,", "\n0,"))
    writer.write(folder + "malformed-idle.csv", good.replace(latency(128, 1024, 4096, 1), "0"))
    writer.write(folder + "malformed-empty.csv", TILES + "\n")
