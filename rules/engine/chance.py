"""Chance: every draw follows from a committed seed and can be checked afterwards (law 6)."""

import hashlib
import hmac
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TypeVar

import msgspec

T = TypeVar("T")
SECRET_BYTES = 32
WIDEST = 1 << 64


class Draw(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One draw: number `n` of `epoch`, uniform over 0..range-1."""

    epoch: int
    n: int
    range: int
    result: int


def commitment(secret: bytes) -> str:
    """The SHA-256 of the secret in hex, posted before anyone joins."""
    return hashlib.sha256(secret).hexdigest()


def mix(secret: bytes, salts: Sequence[str]) -> bytes:
    """The seed: the committed secret mixed with one salt a seat, so that nobody alone chooses it."""
    return hmac.digest(secret, "\n".join(salts).encode(), "sha256")


def value(seed: bytes, epoch: int, n: int, below: int) -> int:
    """Draw `n` of `epoch`, 0..below-1: HMAC-SHA256(seed, "epoch/n/k"), first k that falls inside a whole multiple."""
    if not 0 < below <= WIDEST:
        raise ValueError(f"nothing can be drawn below {below}")
    limit = WIDEST - WIDEST % below
    k = 0
    while True:
        number = int.from_bytes(hmac.digest(seed, b"%d/%d/%d" % (epoch, n, k), "sha256")[:8], "big")
        if number < limit:
            return number % below
        k += 1


class Chance:
    """The only source of chance in a game. Locked while options are listed, since those are listed again at will."""

    __slots__ = ("_locked", "draws", "epoch", "n", "seed")

    def __init__(self, seed: bytes, epoch: int = 0, n: int = 0) -> None:
        self.seed = seed
        self.epoch = epoch
        self.n = n
        self.draws: list[Draw] = []
        self._locked = False

    def below(self, limit: int) -> int:
        """Uniform over 0..limit-1."""
        if self._locked:
            raise RuntimeError("chance is locked while options are listed")
        result = self._value(limit)
        self.draws.append(Draw(self.epoch, self.n, limit, result))
        self.n += 1
        return result

    def _value(self, limit: int) -> int:
        return value(self.seed, self.epoch, self.n, limit)

    def roll(self, sides: int = 6) -> int:
        """One die, 1..sides."""
        return self.below(sides) + 1

    def pick(self, things: Sequence[T]) -> T:
        """One of them, each as likely."""
        return things[self.below(len(things))]

    def shuffled(self, things: Sequence[T]) -> list[T]:
        """All of them in a random order."""
        left = list(things)
        return [left.pop(self.below(len(left))) for _ in range(len(left))]

    @contextmanager
    def locked(self) -> Iterator[None]:
        """No draw is possible inside."""
        before, self._locked = self._locked, True
        try:
            yield
        finally:
            self._locked = before


class ScriptedChance(Chance):
    """Chance with known results, for tests: the n-th draw is the n-th of `results` (0-based, so a die of 3 is 2)."""

    __slots__ = ("results",)

    def __init__(self, results: Sequence[int]) -> None:
        super().__init__(b"scripted")
        self.results = list(results)

    def _value(self, limit: int) -> int:
        result = self.results[self.n]
        if not 0 <= result < limit:
            raise ValueError(f"draw {self.n} is scripted as {result}, but lies in 0..{limit - 1}")
        return result
