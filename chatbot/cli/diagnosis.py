"""One result of `chatbot doctor`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Verdict = Literal["ok", "look", "wrong"]


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The result of a check; `sentence` says what to do unless all is well."""

    subject: str
    verdict: Verdict
    sentence: str

    @property
    def line(self) -> str:
        """The finding as a line of the report."""
        return f"{self.verdict:5}  {self.subject}: {self.sentence}"
