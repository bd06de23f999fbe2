"""Makes an ONNX file of our own model file: the same weights, int8 rows turned into float32, in a BERT graph of six layers.

For the bench that compares our encoder with onnxruntime on the same weights. Needs `pip install onnx numpy`.

    python scripts/export-minilm-onnx.py <to.onnx>
"""

import struct
import sys
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

WIDTH, HEADS, LAYERS, POSITIONS, UP = 384, 12, 6, 256, 1536
MODEL = Path(__file__).resolve().parent.parent / "assets" / "minilm" / "model.bin"


class Reader:
    def __init__(self, blob: bytes):
        self.blob, self.at = blob, 0

    def floats(self, *shape: int) -> np.ndarray:
        count = int(np.prod(shape))
        values = np.frombuffer(self.blob, "<f4", count, self.at).reshape(shape)
        self.at += 4 * count
        return values

    def matrix(self, outputs: int, inputs: int) -> tuple[np.ndarray, np.ndarray]:
        """As `x @ matrix + bias`."""
        codes = np.frombuffer(self.blob, np.int8, outputs * inputs, self.at)
        self.at += outputs * inputs
        codes = codes.reshape(outputs // 8, inputs // 2, 8, 2).transpose(0, 2, 1, 3).reshape(outputs, inputs)
        scales, bias = self.floats(outputs), self.floats(outputs)
        return np.ascontiguousarray((codes * scales[:, None]).T.astype(np.float32)), bias


class Graph:
    def __init__(self):
        self.nodes, self.constants, self.count = [], [], 0

    def constant(self, values: np.ndarray) -> str:
        self.count += 1
        self.constants.append(numpy_helper.from_array(np.array(values), f"c{self.count}"))
        return f"c{self.count}"

    def add(self, kind: str, *inputs: str, **attributes) -> str:
        self.count += 1
        self.nodes.append(helper.make_node(kind, list(inputs), [f"v{self.count}"], **attributes))
        return f"v{self.count}"

    def dense(self, values: str, weights: tuple[np.ndarray, np.ndarray]) -> str:
        product = self.add("MatMul", values, self.constant(weights[0]))
        return self.add("Add", product, self.constant(weights[1]))

    def norm(self, values: str, weights: tuple[np.ndarray, np.ndarray]) -> str:
        gain, bias = (self.constant(part) for part in weights)
        return self.add("LayerNormalization", values, gain, bias, axis=-1, epsilon=1e-12)

    def heads(self, values: str, order: list[int]) -> str:
        shape = self.constant(np.array([1, -1, HEADS, WIDTH // HEADS], np.int64))
        return self.add("Transpose", self.add("Reshape", values, shape), perm=order)


def layer(graph: Graph, values: str, reader: Reader) -> str:
    stacked = graph.dense(values, reader.matrix(3 * WIDTH, WIDTH))
    graph.nodes.append(helper.make_node("Split", [stacked], [f"{stacked}_{part}" for part in "qkv"], axis=-1, num_outputs=3))
    query, key, value = (
        graph.heads(f"{stacked}_{part}", [0, 2, 3, 1] if part == "k" else [0, 2, 1, 3]) for part in "qkv"
    )
    shares = graph.add("Softmax", graph.add("MatMul", query, key), axis=-1)  # the query's rows carry 1/sqrt(32)
    mixed = graph.add("Transpose", graph.add("MatMul", shares, value), perm=[0, 2, 1, 3])
    mixed = graph.add("Reshape", mixed, graph.constant(np.array([1, -1, WIDTH], np.int64)))
    attended = graph.dense(mixed, reader.matrix(WIDTH, WIDTH))
    values = graph.norm(graph.add("Add", values, attended), (reader.floats(WIDTH), reader.floats(WIDTH)))
    wide = graph.add("Gelu", graph.dense(values, reader.matrix(UP, WIDTH)))
    narrow = graph.dense(wide, reader.matrix(WIDTH, UP))
    return graph.norm(graph.add("Add", values, narrow), (reader.floats(WIDTH), reader.floats(WIDTH)))


def main() -> None:
    blob = MODEL.read_bytes()
    _, _, dense, words, _, vocabulary, _, _ = struct.unpack_from("<8s7I", blob)
    rows = np.frombuffer(blob, np.int8, words, 64 + dense).reshape(vocabulary, 4 + WIDTH)
    scales = np.ascontiguousarray(rows[:, :4]).view("<f4")
    reader, graph = Reader(blob[64 : 64 + dense]), Graph()
    norm = (reader.floats(WIDTH), reader.floats(WIDTH))
    positions = reader.floats(POSITIONS, WIDTH)
    table = graph.constant((rows[:, 4:] * scales).astype(np.float32))
    embedded = graph.add("Gather", table, "input_ids")
    length = graph.add("Slice", graph.add("Shape", "input_ids"), graph.constant(np.array([1])), graph.constant(np.array([2])))
    placed = graph.add("Slice", graph.constant(positions), graph.constant(np.array([0])), length, graph.constant(np.array([0])))
    values = graph.norm(graph.add("Add", embedded, placed), norm)
    for _ in range(LAYERS):
        values = layer(graph, values, reader)
    assert reader.at == dense
    graph.nodes.append(helper.make_node("Identity", [values], ["last_hidden_state"]))
    made = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "minilm",
            [helper.make_tensor_value_info("input_ids", TensorProto.INT64, [1, "tokens"])],
            [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, [1, "tokens", WIDTH])],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 20)],
        ir_version=9,
    )
    onnx.checker.check_model(made)
    onnx.save(made, sys.argv[1])


main()
