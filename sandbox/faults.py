"""What the sandbox does wrong on request."""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, field

from .errors import Json


@dataclass(slots=True)
class Fault:
    """One kind of misbehaviour, for the requests that match."""

    id: int
    method: str = ""  # empty: any
    path: str = ""  # regular expression, searched in the path; empty: any
    status: int = 0  # answer this instead of doing anything
    after: bool = False  # do it all the same, then answer `status`: the answer is lost
    drop: bool = False  # close the connection instead of answering
    delay: float = 0.0  # real seconds before the request is handled
    delay_answer: float = 0.0  # real seconds before the answer is sent
    times: int | None = 1  # None: until cleared
    chance: float = 1.0
    code: int = 0
    retry_after: float = 0.5
    hits: int = field(default=0)

    def json(self) -> Json:
        """The fault as the control API shows it."""
        return {name: getattr(self, name) for name in self.__slots__}


class Faults:
    """The faults in force."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)
        self._next = 0
        self.active: list[Fault] = []

    def add(self, spec: Json) -> Fault:
        """Put a fault in force."""
        allowed = set(Fault.__slots__) - {"id", "hits"}
        if unknown := set(spec) - allowed:
            raise ValueError(f"a fault has no {sorted(unknown)}; it has {sorted(allowed)}")
        self._next += 1
        fault = Fault(self._next, **spec)
        re.compile(fault.path)
        self.active.append(fault)
        return fault

    def clear(self, fault_id: int | None = None) -> None:
        """End one fault, or all of them."""
        self.active = [f for f in self.active if fault_id is not None and f.id != fault_id]

    def hit(self, method: str, path: str) -> Fault | None:
        """The first fault that strikes this request."""
        for fault in self.active:
            if fault.method and fault.method != method:
                continue
            if fault.path and not re.search(fault.path, path):
                continue
            if fault.chance < 1 and self._random.random() >= fault.chance:
                continue
            fault.hits += 1
            if fault.times is not None and fault.hits >= fault.times:
                self.active.remove(fault)
            return fault
        return None
