window.BENCHMARK_DATA = {
  "lastUpdate": 1772355600000,
  "repoUrl": "https://example.org/kernels",
  "entries": {
    "Rust": [
      {
        "commit": {
          "id": "1111111111111111111111111111111111111111",
          "message": "faster",
          "timestamp": "2026-03-01T09:00:00Z",
          "author": {
            "name": "a"
          }
        },
        "date": 1772355600000,
        "tool": "cargo",
        "benches": [
          {
            "name": "gemm/64",
            "value": 1250,
            "unit": "ns/iter",
            "range": "\u00b1 25"
          },
          {
            "name": "binary size",
            "value": 4096,
            "unit": "furlongs"
          }
        ]
      },
      {
        "commit": {
          "id": "2222222222222222222222222222222222222222",
          "message": "faster",
          "timestamp": "2026-03-01T09:00:00Z",
          "author": {
            "name": "a"
          }
        },
        "date": 1772355600000,
        "tool": "catch2",
        "benches": [
          {
            "name": "gemm/64",
            "value": 1000,
            "unit": "ns",
            "range": "\u00b1 20"
          },
          {
            "name": "gemm/128",
            "value": 0,
            "unit": "ns/iter"
          }
        ]
      }
    ],
    "Python": [
      {
        "commit": {
          "id": "2222222222222222222222222222222222222222",
          "message": "faster",
          "timestamp": "2026-03-01T09:00:00Z",
          "author": {
            "name": "a"
          }
        },
        "date": 1772355600000,
        "tool": "pytest",
        "benches": [
          {
            "name": "test_softmax",
            "value": 50000.0,
            "unit": "iter/sec",
            "range": "stddev: 0.0000005",
            "extra": "mean: 20.5 usec\nrounds: 4000"
          }
        ]
      },
      {
        "commit": {
          "id": "2222222222222222222222222222222222222222",
          "message": "faster",
          "timestamp": "2026-03-01T09:00:00Z",
          "author": {
            "name": "a"
          }
        },
        "date": 1772355600000,
        "tool": "customBiggerIsBetter",
        "benches": [
          {
            "name": "gemm peak",
            "value": 125.5,
            "unit": "TFLOP/s"
          },
          {
            "name": "copy",
            "value": 800,
            "unit": "GB/s"
          },
          {
            "name": "serve",
            "value": 640,
            "unit": "tokens/s"
          }
        ]
      }
    ]
  }
}