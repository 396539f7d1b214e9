"""PyTorch's training steps and predictions on the CPU. A line of JSON in; milliseconds out.

Of training, the mean of some steps, as throughput is; of prediction, the best single batch, where ours is a mean.
"""
import json
import os
import resource
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "../../packages/engine/scripts"))

import torch
from torch.nn import functional as F

from torch_models import LeNet5, Mlp, MlpPack, ResNet32, VisionTransformer

MODELS = {
    "mlp": (Mlp, [30]),
    "pack of 8 mlp": (lambda: MlpPack(8), [30]),
    "lenet5": (LeNet5, [1, 28, 28]),
    "resnet32": (ResNet32, [3, 32, 32]),
    "vit": (lambda: VisionTransformer(3, 32, 128, 6, 4, 10), [3, 32, 32]),
}
made = {}


def prepare(name, batch):
    if (name, batch) not in made:
        build, shape = MODELS[name]
        model = build()
        optimizer = torch.optim.SGD(model.parameters(), 0.01, momentum=0.9, weight_decay=5e-4, foreach=True)
        rows = batch * getattr(model, "networks", 1)
        labels = torch.randint(0, 10, (rows,))
        made[name, batch] = model, optimizer, torch.randn(rows, *shape), labels
    return made[name, batch]


def train(model, optimizer, inputs, labels):
    model.train()
    optimizer.zero_grad(set_to_none=True)
    loss = F.cross_entropy(model(inputs), labels)
    loss.backward()
    optimizer.step()
    return loss.item()


def predict(model, _, inputs, __):
    model.eval()
    with torch.no_grad():
        return F.softmax(model(inputs), 1)


def peak_memory():
    """In MB. Linux hands ru_maxrss on from the process that started this one; VmHWM is its own."""
    if sys.platform != "linux":
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024**2 if sys.platform == "darwin" else 1024)
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:")) / 1024


def memory(request):
    torch.set_num_threads(2)
    for _ in range(request["runs"]):
        train(*prepare(request["model"], request["batch"]))
    return {f"PyTorch {torch.__version__}, 2 threads": peak_memory()}


WORK = {"train": train, "predict": predict}
for line in sys.stdin:
    request = json.loads(line)
    if request["work"] == "memory":
        print(json.dumps(memory(request)), flush=True)
        continue
    times = {}
    for threads in (1, 2):
        torch.set_num_threads(threads)
        arguments = prepare(request["model"], request["batch"])
        WORK[request["work"]](*arguments)  # not counted: the first one after a change of threads is slow
        taken = []
        for _ in range(request["runs"]):
            start = time.perf_counter()
            WORK[request["work"]](*arguments)
            taken.append((time.perf_counter() - start) * 1e3)
        name = f"PyTorch {torch.__version__}, {threads} thread{'s' * (threads > 1)}"
        times[name] = sum(taken) / len(taken) if request["work"] == "train" else min(taken)
    print(json.dumps(times), flush=True)
