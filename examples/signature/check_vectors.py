"""Checks the golden vectors beside this file by the reading in Python; says how many agree, and ends with 1 when one differs."""
import json, pathlib, sys
import datasketch_signature, weighted
from signature import sign
from xxh3 import xxh3_64, xxh3_128

vectors = json.loads((pathlib.Path(__file__).parent / "vectors.json").read_text(encoding="utf-8"))
results = []
for case in vectors["xxh3"]:
    data = bytes(at * 7 % 251 for at in range(case["length"]))
    results.append([f"{xxh3_64(data, case['seed']):016x}", f"{xxh3_128(data, case['seed']):032x}"] == [case["xxh3_64"], case["xxh3_128"]])
for case in vectors["signatures"]:
    results.append(sign(case["record"]["id"], case["text"], **case["settings"]) == case["record"])
for case in vectors["weighted"]:
    weight_of = {token: weighted.units(weight) for token, weight in case["weights"].items()}
    results.append(weighted.sign(case["record"]["id"], case["text"], weight_of, **case["settings"]) == case["record"])
for case in vectors["datasketch"]:
    tokens = [token.encode() for token in case["tokens"]]
    values = getattr(datasketch_signature, case["scheme"])(tokens, case["num_perm"], case["seed"])
    results.append(values == case["values"])
    results.append(datasketch_signature.band_keys(values, case["bands"], case["rows"]) == case["keys"])
print(f"{sum(results)} of {len(results)} agree")
sys.exit(not all(results))
