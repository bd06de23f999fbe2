"""Makes test/fixtures/onnx/tiny-sentences: a sentence model of a few kilobytes in the layout of model hubs.

It knows nothing of meaning: a token has a fixed random vector, and every position also sees the mean of all of them, so
that pooling by the first token or by the mean tells texts apart. Needs `pip install onnx numpy` (made with onnx 1.23.2).
"""

import json
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.reference import ReferenceEvaluator

WIDTH = 16
FOLDER = Path(__file__).resolve().parent.parent / "test" / "fixtures" / "onnx" / "tiny-sentences"
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WORDS = "the is ledger refund job runs after before close one two three where".split()
VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", *".,!?-:'", *LETTERS, *("##" + letter for letter in LETTERS), *WORDS]


def model() -> onnx.ModelProto:
    random = np.random.default_rng(7)
    words = random.standard_normal((len(VOCABULARY), WIDTH)).astype(np.float32)
    kinds = (random.standard_normal((2, WIDTH)) * 0.1).astype(np.float32)
    constants = {"words": words, "kinds": kinds, "last": np.array([-1], np.int64), "tokens": np.array([1], np.int64)}
    nodes = [
        helper.make_node("Gather", ["words", "input_ids"], ["word_rows"]),
        helper.make_node("Gather", ["kinds", "token_type_ids"], ["kind_rows"]),
        helper.make_node("Add", ["word_rows", "kind_rows"], ["rows"]),
        helper.make_node("Cast", ["attention_mask"], ["mask"], to=TensorProto.FLOAT),
        helper.make_node("Unsqueeze", ["mask", "last"], ["mask_column"]),
        helper.make_node("Mul", ["rows", "mask_column"], ["seen"]),
        helper.make_node("ReduceSum", ["seen", "tokens"], ["sum"], keepdims=1),
        helper.make_node("ReduceSum", ["mask_column", "tokens"], ["count"], keepdims=1),
        helper.make_node("Div", ["sum", "count"], ["mean"]),
        helper.make_node("Add", ["rows", "mean"], ["mixed"]),
        helper.make_node("Tanh", ["mixed"], ["last_hidden_state"]),
    ]
    inputs = ["input_ids", "attention_mask", "token_type_ids"]
    graph = helper.make_graph(
        nodes,
        "tiny-sentences",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in inputs],
        [helper.make_tensor_value_info("last_hidden_state", TensorProto.FLOAT, ["batch", "tokens", WIDTH])],
        [numpy_helper.from_array(values, name) for name, values in constants.items()],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    onnx.checker.check_model(made)
    return made


def tokenizer() -> dict:
    special = [{"id": at, "content": token, "single_word": False, "lstrip": False, "rstrip": False, "normalized": False,
                "special": True} for at, token in enumerate(VOCABULARY[:4])]
    sequence = [{"SpecialToken": {"id": "[CLS]", "type_id": 0}}, {"Sequence": {"id": "A", "type_id": 0}},
                {"SpecialToken": {"id": "[SEP]", "type_id": 0}}]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": special,
        "normalizer": {"type": "BertNormalizer", "clean_text": True, "handle_chinese_chars": True, "strip_accents": None,
                       "lowercase": True},
        "pre_tokenizer": {"type": "BertPreTokenizer"},
        "post_processor": {
            "type": "TemplateProcessing",
            "single": sequence,
            "pair": sequence,
            "special_tokens": {
                "[CLS]": {"id": "[CLS]", "ids": [2], "tokens": ["[CLS]"]},
                "[SEP]": {"id": "[SEP]", "ids": [3], "tokens": ["[SEP]"]},
            },
        },
        "decoder": {"type": "WordPiece", "prefix": "##", "cleanup": True},
        "model": {"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##",
                  "max_input_chars_per_word": 100, "vocab": {token: at for at, token in enumerate(VOCABULARY)}},
    }


def expected() -> list:
    """Vectors of texts whose words all stand in the vocabulary, by the reference evaluator of the onnx package."""
    session = ReferenceEvaluator(model())
    cases = []
    for text in ["the refund job runs after the ledger", "one", "where is the ledger"]:
        ids = [VOCABULARY.index(token) for token in ["[CLS]", *text.split(), "[SEP]"]]
        row = np.array([ids], np.int64)
        feeds = {"input_ids": row, "attention_mask": np.ones_like(row), "token_type_ids": np.zeros_like(row)}
        (rows,) = session.run(None, feeds)
        first = rows[0][0]
        cases.append({"text": text, "vector": [round(float(value), 6) for value in first / np.linalg.norm(first)]})
    return cases


def write(name: str, value: dict | list) -> None:
    path = FOLDER / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=1) + "\n")


if __name__ == "__main__":
    write("config.json", {"model_type": "bert", "hidden_size": WIDTH, "max_position_embeddings": 64})
    write("sentence_bert_config.json", {"max_seq_length": 48})
    write("1_Pooling/config.json", {"word_embedding_dimension": WIDTH, "pooling_mode_cls_token": True})
    write("tokenizer.json", tokenizer())
    write("tokenizer_config.json", {"tokenizer_class": "BertTokenizer", "do_lower_case": True})
    write("config_sentence_transformers.json", {"prompts": {"query": "where is: "}})
    write("expected.json", expected())
    (FOLDER / "onnx").mkdir(exist_ok=True)
    (FOLDER / "onnx" / "model.onnx").write_bytes(model().SerializeToString())
