"""The network of a weights file as onnxruntime runs it, on one thread.

Builds the ONNX graph of FOLDER/net.safetensors, evaluates the batch of
FOLDER/planes.f32, and prints the best time of a batch and how far the evaluations
are from those of FOLDER/logits.f32 and FOLDER/values.f32.
"""

import json
import pathlib
import struct
import sys
import time

import numpy as np
import onnx
import onnxruntime
from onnx import TensorProto, helper, numpy_helper

folder, rounds = pathlib.Path(sys.argv[1]), int(sys.argv[2])

raw = (folder / "net.safetensors").read_bytes()
(length,) = struct.unpack("<Q", raw[:8])
header = json.loads(raw[8 : 8 + length])
info = json.loads(header.pop("__metadata__")["card"])
sizes = info["architecture"]
tensors = {
    name: np.frombuffer(raw[8 + length :][slice(*entry["data_offsets"])], "<f4").reshape(entry["shape"])
    for name, entry in header.items()
}
height, width = sizes["height"], sizes["width"]

nodes, constants = [], []


def constant(name, array):
    constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
    return name


def node(kind, inputs, name, **attributes):
    nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
    return name


def convolution(name, x):
    """A convolution and its normalisation, which onnxruntime folds by itself."""
    weight = tensors[f"{name}.conv"]
    if weight.ndim == 2:
        weight = weight[None, None]
    side = weight.shape[0]
    kernel = constant(f"{name}.kernel", weight.transpose(3, 2, 0, 1))
    y = node("Conv", [x, kernel], f"{name}.sums", kernel_shape=[side] * 2, pads=[side // 2] * 4)
    parts = [constant(f"{name}.{part}", tensors[f"{name}.norm.{part}"]) for part in ("scale", "shift", "mean", "variance")]
    return node("BatchNormalization", [y, *parts], f"{name}.normal", epsilon=1e-5)


def dense(name, x, kernels=None):
    weight = tensors[f"{name}.weight"]
    if kernels:
        # Ours has the kernels of a point together, ONNX the points of a kernel.
        weight = weight.reshape(height * width, kernels, -1).transpose(1, 0, 2).reshape(weight.shape)
    parts = [constant(f"{name}.w", weight), constant(f"{name}.b", tensors[f"{name}.bias"])]
    return node("Gemm", [x, *parts], f"{name}.out")


x = node("Relu", [convolution("stem", "planes")], "stem.out")
for block in range(1, sizes["blocks"] + 1):
    inner = node("Relu", [convolution(f"block{block}.1", x)], f"block{block}.inner")
    total = node("Add", [convolution(f"block{block}.2", inner), x], f"block{block}.total")
    x = node("Relu", [total], f"block{block}.out")
flat = node("Flatten", [node("Relu", [convolution("policy", x)], "policy.out")], "policy.flat")
node("Identity", [dense("policy.dense", flat, sizes["policy_kernels"])], "logits")
flat = node("Flatten", [node("Relu", [convolution("value", x)], "value.out")], "value.flat")
hidden = node("Relu", [dense("value.hidden", flat, sizes["value_kernels"])], "hidden")
node("Tanh", [dense("value.dense", hidden)], "values")

planes = np.fromfile(folder / "planes.f32", "<f4").reshape(-1, height, width, sizes["planes"])
planes = np.ascontiguousarray(planes.transpose(0, 3, 1, 2))
graph = helper.make_graph(
    nodes,
    "boyi",
    [helper.make_tensor_value_info("planes", TensorProto.FLOAT, planes.shape)],
    [
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [len(planes), columns])
        for name, columns in (("logits", sizes["moves"]), ("values", 1))
    ],
    constants,
)
model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)])
model.ir_version = 8
onnx.checker.check_model(model)

options = onnxruntime.SessionOptions()
options.intra_op_num_threads = options.inter_op_num_threads = 1
session = onnxruntime.InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])
seconds = []
for _ in range(rounds):
    started = time.perf_counter()
    logits, values = session.run(["logits", "values"], {"planes": planes})
    seconds.append(time.perf_counter() - started)


def policies(logits):
    weights = np.exp(logits - logits.max(axis=1, keepdims=True))
    return weights / weights.sum(axis=1, keepdims=True)


ours = [np.fromfile(folder / f"{name}.f32", "<f4") for name in ("logits", "values")]
ours[0] = ours[0].reshape(logits.shape)
difference = {
    "logits": float(np.abs(logits - ours[0]).max() / np.abs(ours[0]).max()),
    "policies": float(np.abs(policies(logits) - policies(ours[0])).max()),
    "values": float(np.abs(values.reshape(-1) - ours[1]).max()),
}
print(json.dumps({"positions": len(planes), "seconds": min(seconds), "difference": difference, "version": onnxruntime.__version__}))
