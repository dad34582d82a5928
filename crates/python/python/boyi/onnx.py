"""Networks as ONNX files, for onnxruntime and other programs.

>>> boyi.onnx.export(boyi.Network("connect-four"), "four.onnx")  # doctest: +SKIP

The graph takes `observations` (positions, rows, columns, planes) and gives `logits`
(positions, actions) and `values` (positions), as `boyi.Network.forward` does.
"""

from __future__ import annotations

import os

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from . import Network

__all__ = ["export", "to_model"]


class _Graph:
    """Nodes and constants, each made by its name."""

    def __init__(self, network: Network):
        self.sizes = network.architecture
        self.tensors = network.tensors()
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, array) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(array), name))
        return name

    def add(self, kind: str, inputs: list[str], name: str, **attributes) -> str:
        self.nodes.append(helper.make_node(kind, inputs, [name], name=name, **attributes))
        return name

    def convolution(self, name: str, x: str) -> str:
        weight = self.tensors[f"{name}.conv"]
        side = 3 if weight.ndim == 4 else 1
        weight = weight.reshape(side, side, *weight.shape[-2:]).transpose(3, 2, 0, 1)
        pads = [side // 2] * 4
        kernel = self.constant(f"{name}.kernel", weight)
        sums = self.add("Conv", [x, kernel], f"{name}.sums", kernel_shape=[side, side], pads=pads)
        norm = [
            self.constant(f"{name}.{part}", self.tensors[f"{name}.norm.{part}"])
            for part in ("scale", "shift", "mean", "variance")
        ]
        return self.add("BatchNormalization", [sums, *norm], f"{name}.norm", epsilon=1e-5)

    def relu(self, x: str) -> str:
        return self.add("Relu", [x], f"{x}.relu")

    def pooled(self, x: str, axes: list[int]) -> str:
        """The mean of each kernel over these axes, then the maximum of each."""
        parts = [
            self.add(kind, [x], f"{x}.{kind}", axes=axes, keepdims=0)
            for kind in ("ReduceMean", "ReduceMax")
        ]
        return self.add("Concat", parts, f"{x}.pooled", axis=1)

    def flat(self, x: str) -> str:
        turned = self.add("Transpose", [x], f"{x}.turned", perm=[0, 2, 3, 1])
        return self.add("Flatten", [turned], f"{x}.flat")

    def dense(self, name: str, x: str, output: str) -> str:
        parts = [self.constant(f"{name}.{part}", self.tensors[f"{name}.{part}"]) for part in ("weight", "bias")]
        return self.add("Gemm", [x, *parts], output)


def to_model(network: Network) -> onnx.ModelProto:
    """A network as an ONNX model (operator set 17)."""
    graph = _Graph(network)
    sizes = graph.sizes
    x = graph.add("Transpose", ["observations"], "planes", perm=[0, 3, 1, 2])
    x = graph.relu(graph.convolution("stem", x))
    for block in range(1, sizes["blocks"] + 1):
        inner = graph.relu(graph.convolution(f"block{block}.1", x))
        outer = graph.convolution(f"block{block}.2", inner)
        x = graph.relu(graph.add("Add", [outer, x], f"block{block}.sum"))
    policy, value = (graph.relu(graph.convolution(name, x)) for name in ("policy", "value"))
    if sizes["heads"] == "pooled":
        # A row for each column of each board, and back.
        columns = graph.add("Transpose", [graph.pooled(policy, [2])], "columns", perm=[0, 2, 1])
        features = 2 * sizes["policy_kernels"]
        rows = graph.constant("rows.shape", np.array([-1, features], np.int64))
        rows = graph.add("Reshape", [columns, rows], "rows")
        width = graph.add("Shape", ["observations"], "width", start=2, end=3)
        each = graph.add("Concat", [graph.constant("all", np.array([-1], np.int64)), width], "each", axis=0)
        graph.add("Reshape", [graph.dense("policy.dense", rows, "logit"), each], "logits")
        features = graph.pooled(value, [2, 3])
        board = ["rows", "columns"]
    else:
        graph.dense("policy.dense", graph.flat(policy), "logits")
        features = graph.flat(value)
        board = [sizes["height"], sizes["width"]]
    hidden = graph.relu(graph.dense("value.hidden", features, "hidden"))
    value = graph.add("Tanh", [graph.dense("value.dense", hidden, "value")], "column")
    shape = graph.constant("values.shape", np.array([-1], np.int64))
    graph.add("Reshape", [value, shape], "values")
    planes = ["positions", *board, sizes["planes"]]
    moves = "columns" if sizes["heads"] == "pooled" else sizes["moves"]
    info = helper.make_tensor_value_info
    model = helper.make_model(
        helper.make_graph(
            graph.nodes,
            "boyi",
            [info("observations", TensorProto.FLOAT, planes)],
            [
                info("logits", TensorProto.FLOAT, ["positions", moves]),
                info("values", TensorProto.FLOAT, ["positions"]),
            ],
            graph.constants,
        ),
        opset_imports=[helper.make_opsetid("", 17)],
        producer_name="boyi",
    )
    model.ir_version = 8
    helper.set_model_props(model, {"game": network.game, "encoding": str(network.encoding)})
    onnx.checker.check_model(model)
    return model


def export(network: Network, path: str | os.PathLike) -> None:
    """Writes a network as an ONNX file."""
    onnx.save(to_model(network), os.fspath(path))
