"""The engine's models in PyTorch, with the same layers under the same names."""
import torch
from torch import nn
from torch.nn import functional as F


class Tiny(nn.Module):
    """No bias before the norm, which would take it out again: its gradient is nothing but rounding."""

    def __init__(self):
        super().__init__()
        self.hidden = nn.Linear(6, 8)
        self.classifier = nn.Linear(8, 4, bias=False)
        self.logitNorm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.logitNorm(self.classifier(F.relu(self.hidden(x))))


class LeNet5(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, padding=2)
        self.conv2 = nn.Conv2d(6, 16, 5)
        self.fc1 = nn.Linear(400, 120)
        self.fc2 = nn.Linear(120, 84)
        self.classifier = nn.Linear(84, 10)
        self.logitNorm = nn.BatchNorm1d(10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.conv1(x)), 2)
        x = F.max_pool2d(F.relu(self.conv2(x)), 2).flatten(1)
        return self.logitNorm(self.classifier(F.relu(self.fc2(F.relu(self.fc1(x))))))


class Block(nn.Module):
    def __init__(self, before, channels, stride):
        super().__init__()
        self.conv1 = nn.Conv2d(before, channels, 3, stride, 1, bias=False)
        self.norm1 = nn.BatchNorm2d(channels)
        self.conv2 = nn.Conv2d(channels, channels, 3, 1, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(channels)
        self.stride, self.added = stride, channels - before

    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        s, a = self.stride, self.added
        return F.relu(y + F.pad(x[:, :, ::s, ::s], (0, 0, 0, 0, a // 2, a - a // 2)))


class ResNet32(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.ModuleDict({"conv": nn.Conv2d(3, 16, 3, 1, 1, bias=False), "norm": nn.BatchNorm2d(16)})
        before = 16
        for s, channels in enumerate((16, 32, 64), 1):
            blocks = nn.ModuleDict()
            for b in range(1, 6):
                blocks[f"block{b}"] = Block(before, channels, 2 if s > 1 and b == 1 else 1)
                before = channels
            setattr(self, f"stage{s}", blocks)
        self.classifier = nn.Linear(64, 10)
        self.logitNorm = nn.BatchNorm1d(10)

    def forward(self, x):
        x = F.relu(self.stem["norm"](self.stem["conv"](x)))
        for stage in (self.stage1, self.stage2, self.stage3):
            for block in stage.values():
                x = block(x)
        return self.logitNorm(self.classifier(x.mean((2, 3))))


class ProjectedBlock(Block):
    """A 1×1 convolution and a norm where the shape changes, and the input itself elsewhere."""

    def __init__(self, before, channels, stride):
        super().__init__(before, channels, stride)
        if stride > 1 or before != channels:
            conv = nn.Conv2d(before, channels, 1, stride, bias=False)
            self.shortcut = nn.ModuleDict({"conv": conv, "norm": nn.BatchNorm2d(channels)})

    def forward(self, x):
        y = self.norm2(self.conv2(F.relu(self.norm1(self.conv1(x)))))
        return F.relu(y + (self.shortcut["norm"](self.shortcut["conv"](x)) if hasattr(self, "shortcut") else x))


class ResNet34(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.ModuleDict({"conv": nn.Conv2d(3, 64, 7, 2, 3, bias=False), "norm": nn.BatchNorm2d(64)})
        before = 64
        for s, (channels, count) in enumerate(((64, 3), (128, 4), (256, 6), (512, 3)), 1):
            blocks = nn.ModuleDict()
            for b in range(1, count + 1):
                blocks[f"block{b}"] = ProjectedBlock(before, channels, 2 if s > 1 and b == 1 else 1)
                before = channels
            setattr(self, f"stage{s}", blocks)
        self.classifier = nn.Linear(512, 10)
        self.logitNorm = nn.BatchNorm1d(10)

    def forward(self, x):
        x = F.max_pool2d(F.relu(self.stem["norm"](self.stem["conv"](x))), 3, 2, 1)
        for stage in (self.stage1, self.stage2, self.stage3, self.stage4):
            for block in stage.values():
                x = block(x)
        return self.logitNorm(self.classifier(x.mean((2, 3))))


class Attention(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        own = nn.ModuleDict({"qkv": nn.Linear(width, 3 * width), "projection": nn.Linear(width, width)})
        self.norm, self.heads, self.count = nn.LayerNorm(width), own, heads

    def forward(self, x):
        batch, tokens, width = x.shape
        qkv = self.heads["qkv"](self.norm(x)).reshape(batch, tokens, 3, self.count, width // self.count)
        q, k, v = qkv.permute(2, 0, 3, 1, 4)
        found = (q @ k.transpose(2, 3) / (width // self.count) ** 0.5).softmax(-1) @ v
        return x + self.heads["projection"](found.transpose(1, 2).reshape(batch, tokens, width))


class Perceptron(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm, self.hidden, self.output = nn.LayerNorm(width), nn.Linear(width, 2 * width), nn.Linear(2 * width, width)

    def forward(self, x):
        return x + self.output(F.gelu(self.hidden(self.norm(x))))


class VisionTransformer(nn.Module):
    """Images of `size` pixels in patches of 4, `depth` blocks of `width` features; the mean of all tokens is classified."""

    def __init__(self, channels=1, size=8, width=8, depth=2, heads=2, classes=4):
        super().__init__()
        self.depth = depth
        self.patches = nn.Linear(16 * channels, width)
        self.position = nn.Parameter(torch.zeros((size // 4) ** 2, width))
        for b in range(1, depth + 1):
            setattr(self, f"block{b}", nn.ModuleDict({"attention": Attention(width, heads), "mlp": Perceptron(width)}))
        self.norm = nn.LayerNorm(width)
        self.classifier = nn.Linear(width, classes)
        self.logitNorm = nn.BatchNorm1d(classes)

    def forward(self, x):
        x = self.patches(F.unfold(x, 4, stride=4).transpose(1, 2)) + self.position
        for b in range(1, self.depth + 1):
            block = getattr(self, f"block{b}")
            x = block["mlp"](block["attention"](x))
        return self.logitNorm(self.classifier(self.norm(x).mean(1)))


class Mlp(nn.Module):
    def __init__(self, columns=30, classes=10):
        super().__init__()
        self.hidden1 = nn.Linear(columns, 128)
        self.hidden2 = nn.Linear(128, 64)
        self.classifier = nn.Linear(64, classes)
        self.logitNorm = nn.BatchNorm1d(classes)

    def forward(self, x):
        return self.logitNorm(self.classifier(F.relu(self.hidden2(F.relu(self.hidden1(x))))))


class MlpPack(nn.Module):
    """Several Mlps side by side, each with rows of its own: batched products, and a norm of all their channels."""

    def __init__(self, networks, columns=30, classes=10):
        super().__init__()
        self.networks = networks
        sizes = [columns, 128, 64, classes]
        self.weights = nn.ParameterList(
            nn.Parameter((torch.rand(networks, i, o) * 2 - 1) / i**0.5) for i, o in zip(sizes, sizes[1:])
        )
        self.biases = nn.ParameterList(nn.Parameter(torch.zeros(networks, 1, o)) for o in sizes[1:])
        self.logitNorm = nn.BatchNorm1d(networks * classes)

    def forward(self, x):
        x = x.view(self.networks, -1, x.shape[-1])
        for i, (weight, bias) in enumerate(zip(self.weights, self.biases)):
            x = torch.baddbmm(bias, x, weight)
            x = F.relu(x) if i < 2 else x
        rows, classes = x.shape[1:]
        normed = self.logitNorm(x.transpose(0, 1).reshape(rows, self.networks * classes))
        return normed.view(rows, self.networks, classes).transpose(0, 1).reshape(-1, classes)
