#!/usr/bin/env python3
"""Golden values for whole training steps, from PyTorch 1.13 (Debian: python3-torch), computed in float64.

    /usr/bin/python3 packages/engine/scripts/golden_training.py > packages/engine/test/golden/training.json

Weights, batches and labels are not stored: test/training/golden.ts draws the same ones from the same integers. A model
is added by its class here, an entry of MODELS and its cases, and by an entry of `goldenModels` there.
"""
import json
import sys

import torch
from torch import nn
from torch.nn import functional as F

from torch_models import LeNet5, Mlp, ResNet32, ResNet34, Tiny, VisionTransformer

RATE = 0.01
ENTRIES = 5


def draw(name, count):
    """Numbers from -1 to 1, decided by a name: Numerical Recipes' linear congruential generator, 24 bits of each state."""
    state = 0
    for character in name:
        state = (state * 31 + ord(character)) % 2**32
    values = []
    for _ in range(count):
        state = (state * 1664525 + 1013904223) % 2**32
        values.append((state >> 8) / 2**23 - 1)
    return torch.tensor(values, dtype=torch.float64)


def initial(name, shape):
    """A parameter's first values, by the last part of its name."""
    values = draw(name, torch.Size(shape).numel()).reshape(shape)
    if len(shape) > 1:
        fan_in = shape[0] if len(shape) == 2 else torch.Size(shape[1:]).numel()
        values = values * (6 / fan_in) ** 0.5
    elif name.endswith("/scale"):
        values = 1 + 0.2 * values
    else:
        values = 0.1 * values
    return values.float().double()


def generator_matrix(classes):
    """Diagonal above 1, the rest below 0; rows sum to 1, but the last one does not."""
    matrix = torch.zeros(classes, classes, dtype=torch.float64)
    for p in range(classes):
        for q in range(classes):
            if p != q:
                matrix[p, q] = -(0.1 + 0.05 * ((3 * p + 7 * q) % 5)) * 4 / classes
        matrix[p, p] = 1 - matrix[p].sum()
    matrix[classes - 1, classes - 1] += 0.5
    return matrix.float().double()


MODELS = {
    "tiny": (Tiny, [6], 4),
    "mlp": (Mlp, [30], 10),
    "lenet5": (LeNet5, [1, 28, 28], 10),
    "resnet32": (ResNet32, [3, 32, 32], 10),
    "resnet34": (ResNet34, [3, 64, 64], 10),
    "vit": (VisionTransformer, [1, 8, 8], 4),
}


def cross_entropy(z, l):
    return -(l * F.log_softmax(z, 1)).sum(1).mean()


def mean_square_error(z, l):
    return ((F.softmax(z, 1) - l) ** 2).mean()


def focal(gamma):
    return lambda z, l: -(l * (1 - F.softmax(z, 1)) ** gamma * F.log_softmax(z, 1)).sum(1).mean()


def hinge(z, l):
    """For one-hot labels F.multi_margin_loss, as `check_hinge` makes sure."""
    return F.relu(1 - l + z - (l * z).sum(1, keepdim=True)).mean(1).mean()


def check_hinge():
    z = draw("hinge", 20).reshape(5, 4)
    classes = torch.tensor([0, 1, 2, 3, 1])
    assert torch.allclose(hinge(z, F.one_hot(classes, 4).double()), F.multi_margin_loss(z, classes), atol=1e-12)


check_hinge()
LOSSES = {"crossEntropy": cross_entropy, "meanSquareError": mean_square_error, "focal": focal(2)}
OTHER_LOSSES = {
    "focal γ=0.5": focal(0.5),
    "focal γ=1": focal(1),
    "hinge": hinge,
    "squaredError": F.mse_loss,
    "binaryCrossEntropy": F.binary_cross_entropy_with_logits,
}
OPTIMIZERS = {
    "sgd": lambda p: torch.optim.SGD(p, RATE, momentum=0.9, weight_decay=5e-4),
    "nesterov": lambda p: torch.optim.SGD(p, RATE, momentum=0.9, weight_decay=5e-4, nesterov=True),
    "adam": lambda p: torch.optim.Adam(p, RATE, weight_decay=0.1),
    "adamw": lambda p: torch.optim.AdamW(p, RATE, weight_decay=0.1),
    # With the usual ε of 1e-8, a gradient that is 0 but for rounding (of a bias before a norm) becomes a step of full length:
    # then PyTorch's own float32 and float64 differ by as much as the weights. The deeper, the larger it has to be.
    "steadyAdamw": lambda p: torch.optim.AdamW(p, RATE, eps=1e-3, weight_decay=0.1),
    "steadierAdamw": lambda p: torch.optim.AdamW(p, RATE, eps=1e-1, weight_decay=0.1),
    "clippedAdamw": lambda p: torch.optim.AdamW(p, RATE, betas=(0.8, 0.99), eps=1e-3, weight_decay=0.1),
}
CLIP = {"clippedAdamw": 0.3}
CASES = [
    *[("tiny", "crossEntropy", optimizer, 16, 10) for optimizer in ("sgd", "nesterov", "adam", "adamw", "clippedAdamw")],
    *[
        (model, loss, optimizer, batch, steps)
        for model, batch, steps, adamw in (
            ("mlp", 16, 10, "steadyAdamw"),
            ("lenet5", 16, 10, "steadyAdamw"),
            ("vit", 16, 10, "steadyAdamw"),
            ("resnet32", 8, 2, "steadierAdamw"),
        )
        for loss in LOSSES
        for optimizer in ("sgd", adamw)
    ],
    *[(model, loss, "sgd", 16, 10) for model in ("tiny", "mlp", "lenet5") for loss in OTHER_LOSSES],
    # One step: in the second PyTorch's own float32 and float64 differ as much as we do.
    ("resnet34", "crossEntropy", "sgd", 8, 1),
]

OUR_NAMES = {"running_mean": "mean", "running_var": "variance"}


def our_name(name, module):
    path, _, last = name.rpartition(".")
    norm = isinstance(module.get_submodule(path), (nn.BatchNorm1d, nn.BatchNorm2d, nn.LayerNorm))
    last = {"weight": "scale", "bias": "shift"}.get(last, last) if norm else last
    return f"{path}.{OUR_NAMES.get(last, last)}".lstrip(".").replace(".", "/")


def ours(name, tensor):
    """Our linear layers hold [in, out]."""
    return tensor.t() if tensor.dim() == 2 and name.endswith("weight") else tensor


def checksum(tensor):
    """Sum, sum of squares, and entries that lie evenly apart."""
    flat = tensor.detach().double().flatten()
    at = [i * (len(flat) - 1) // (ENTRIES - 1) for i in range(ENTRIES)]
    return [float(f"{x:.7g}") for x in (flat.sum(), (flat**2).sum(), *flat[at])]


def train(model, loss, optimizer, batch, steps):
    make, shape, classes = MODELS[model]
    module = make().double()
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            layout = ours(name, parameter)
            layout.copy_(initial(our_name(name, module), layout.shape))
    # Decay as our layers have it: at weights, not at biases, norms and embeddings.
    decays = lambda name: our_name(name, module).endswith("/weight")
    groups = [
        {"params": [p for name, p in module.named_parameters() if decays(name)]},
        {"params": [p for name, p in module.named_parameters() if not decays(name)], "weight_decay": 0},
    ]
    step_of = OPTIMIZERS[optimizer](groups)
    generator = generator_matrix(classes)
    losses = []
    for step in range(steps):
        x = draw(f"input/{step}", batch * torch.Size(shape).numel()).reshape(batch, *shape)
        labels = ((draw(f"labels/{step}", batch) + 1) / 2 * classes).long()
        value = {**LOSSES, **OTHER_LOSSES}[loss](module(x.float().double()), generator[labels])
        step_of.zero_grad()
        value.backward()
        if optimizer in CLIP:
            nn.utils.clip_grad_norm_(module.parameters(), CLIP[optimizer])
        step_of.step()
        losses.append(value.item())
    kept = {n: t for n, t in module.state_dict().items() if not n.endswith("num_batches_tracked")}
    return losses, {our_name(name, module): ours(name, tensor) for name, tensor in kept.items()}


def golden(model, loss, optimizer, batch, steps):
    losses, state = train(model, loss, optimizer, batch, steps)
    return {
        "model": model,
        "loss": loss,
        "optimizer": optimizer,
        "batch": batch,
        "losses": [float(f"{value:.9g}") for value in losses],
        "state": {name: checksum(tensor) for name, tensor in state.items()},
    }


def main():
    torch.set_num_threads(1)
    cases = [json.dumps(golden(*case)) for case in CASES]
    made_with = json.dumps(f"PyTorch {torch.__version__}")
    sys.stdout.write(f'{{"madeWith": {made_with}, "cases": [\n' + ",\n".join(cases) + "\n]}\n")


main()
