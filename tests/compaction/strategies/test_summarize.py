"""Putting a summary in the place of the oldest messages (S4.23)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import anyio
import pytest
from hypothesis import given
from hypothesis import strategies as st

from memoranda.bridge.drive import Stepper
from memoranda.compaction.draft import Draft
from memoranda.compaction.handles import handle_of
from memoranda.compaction.strategies.summarize import Summarize
from memoranda.compaction.strategy import Seams
from memoranda.compaction.summary import ALSO, MARK, Summary
from memoranda.errors import InvalidInput, SummarizerError
from memoranda.records.message import MediaPart, Message, Role, TextPart, ThinkingPart, user_message
from memoranda.records.span import Fate
from memoranda.records.summary import SummaryRequest
from memoranda.testing.summarizer import ScriptedSummarizer
from tests.compaction.drafts import assistant, asks, call, check, cost, drafted, drafts, gives, pair, system, user
from tests.compaction.strategies.test_offload import Awaited, texts
