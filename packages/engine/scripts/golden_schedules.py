#!/usr/bin/env python3
"""Golden values for learning-rate schedules, from PyTorch 1.13 (Debian: python3-torch).

    /usr/bin/python3 packages/engine/scripts/golden_schedules.py > packages/engine/test/golden/schedules.json
"""
import json
import warnings

import torch
from torch.optim import lr_scheduler as schedulers

warnings.filterwarnings("ignore")
RATE = 0.1
WARM_UP = 5


def rates(make, steps):
    optimizer = torch.optim.SGD([torch.zeros(1, requires_grad=True)], RATE, momentum=0.9)
    scheduler = make(optimizer)
    values = []
    for _ in range(steps):
        values.append(float(f"{optimizer.param_groups[0]['lr']:.12g}"))
        optimizer.step()
        scheduler.step()
    return values


def warmed(optimizer, after):
    """(step + 1)/WARM_UP in the first WARM_UP steps, then `after`, which counts from there."""
    rise = schedulers.LinearLR(optimizer, 1 / WARM_UP, total_iters=WARM_UP - 1)
    return schedulers.SequentialLR(optimizer, [rise, after(optimizer)], [WARM_UP])


multi = lambda o: schedulers.MultiStepLR(o, [12 - WARM_UP, 20 - WARM_UP], 0.01)
cosine = lambda o: schedulers.CosineAnnealingLR(o, 30 - WARM_UP, 0.001)
print(
    json.dumps(
        {
            "madeWith": f"PyTorch {torch.__version__}",
            "multiStep": rates(lambda o: schedulers.MultiStepLR(o, [12, 20], 0.2), 30),
            "multiStepWarm": rates(lambda o: warmed(o, multi), 30),
            "cosine": rates(lambda o: schedulers.CosineAnnealingLR(o, 30), 31),
            "cosineWarm": rates(lambda o: warmed(o, cosine), 31),
            "oneCycle": rates(lambda o: schedulers.OneCycleLR(o, RATE, 30), 30),
            "oneCycleLate": rates(
                lambda o: schedulers.OneCycleLR(o, RATE, 25, pct_start=0.5, div_factor=10, final_div_factor=100), 25
            ),
        }
    )
)
