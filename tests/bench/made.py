"""Small files in the shapes of the data sets, made up for these tests."""

from __future__ import annotations

import gzip
import json
import lzma
from pathlib import Path
from typing import Any

LOCOMO: list[Any] = [
    {
        "sample_id": "talk-1",
        "conversation": {
            "speaker_a": "Ada",
            "speaker_b": "Ben",
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                {"speaker": "Ada", "dia_id": "D1:1", "text": "I planted tulips behind the shed."},
                {"speaker": "Ben", "dia_id": "D1:2", "text": "Look!", "blip_caption": "a red bicycle", "query": "bike"},
            ],
            "session_2_date_time": "12:05 am on 25 December, 2023",
            "session_2": [{"speaker": "Ben", "dia_id": "D2:1", "text": "My cousin moved to Lisbon."}],
            "session_3_date_time": "9:00 am on 1 January, 2024",
            "session_3": [],
        },
        "qa": [
            {"question": "Where are the tulips?", "answer": "x", "evidence": ["D1:01"], "category": 4},
            {"question": "Who has a bicycle?", "answer": "x", "evidence": ["D:1:2; D2:1"], "category": 5},
            {"question": "Who moved to Lisbon?", "answer": "x", "evidence": ["D9:9"], "category": 1},
        ],
        "event_summary": {},
    }
]

LONGMEMEVAL: list[Any] = [
    {
        "question_id": "q-1",
        "question_type": "single-session-user",
        "question": "Which tea do I drink?",
        "question_date": "2023/05/30 (Tue) 23:25",
        "answer": "x",
        "answer_session_ids": ["answer_1"],
        "haystack_dates": ["2023/05/20 (Sat) 00:43", "2023/05/21 (Sun) 10:00"],
        "haystack_session_ids": ["noise_1", "answer_1"],
        "haystack_sessions": [
            [{"role": "user", "content": "The bus was late."}, {"role": "assistant", "content": " "}],
            [
                {"role": "user", "content": "I drink oolong tea.", "has_answer": True},
                {"role": "assistant", "content": "Noted.", "has_answer": False},
            ],
        ],
    },
    {
        "question_id": "q-2_abs",
        "question_type": "multi-session",
        "question": "What is my dog called?",
        "question_date": "2023/06/01 (Thu) 08:00",
        "answer": "x",
        "answer_session_ids": ["answer_2"],
        "haystack_dates": ["2023/05/25 (Thu) 12:00"],
        "haystack_session_ids": ["answer_2"],
        "haystack_sessions": [[{"role": "user", "content": "My dog likes rain."}]],
    },
]

BEAM: list[Any] = [
    {
        "chat_id": 5,
        "chat": [
            {
                "batch_number": 1,
                "time_anchor": None,
                "turns": [
                    [
                        {
                            "role": "user",
                            "id": 0,
                            "time_anchor": "March-15-2024",
                            "content": "My sprint ends on Friday.",
                        },
                        {"role": "assistant", "id": 1, "content": "Good luck with the sprint."},
                    ]
                ],
            },
            {"batch_number": 2, "time_anchor": None, "turns": [[{"role": "user", "id": 2, "content": "I use Flask."}]]},
        ],
        "probing_questions": {
            "extraction": [{"question": "When does my sprint end?", "answer": "x", "source_chat_ids": [0]}],
            "update": [
                {"question": "Do I use Flask?", "ideal_answer": "x", "source_chat_ids": {"first": [2], "then": [[0]]}},
                {"question": "Which car?", "source_chat_ids": None},
            ],
        },
    }
]

MEMDAILY: dict[str, Any] = {
    "simple": {
        "roles": [
            {
                "tid": 0,
                "message_list": [
                    {"mid": 0, "message": "我的同事叫王芳。", "time": "2024年04月01日 周一 08:15", "place": "北京"},
                    {"mid": 1, "message": "昨天下了大雨。", "time": "2024年04月02日 周二 09:00", "place": "上海"},
                ],
                "question_list": [
                    {
                        "qid": 0,
                        "question": "我的同事叫什么？",
                        "answer": "x",
                        "target_step_id": [0],
                        "time": "2024年04月06日 周六 08:26",
                    }
                ],
            }
        ]
    }
}

XQUAD: dict[str, Any] = {
    "data": [
        {
            "title": "One",
            "paragraphs": [
                {"context": "The river froze.", "qas": [{"id": "a", "question": "What froze?", "answers": [{}]}]},
                {"context": "Bees dance.", "qas": [{"id": "b", "question": "What do bees do?", "answers": [{}]}]},
            ],
        },
        {
            "title": "Two",
            "paragraphs": [
                {"context": "Iron rusts.", "qas": [{"id": "c", "question": "What does iron do?", "answers": [{}]}]}
            ],
        },
    ]
}

SUITES = {"locomo": LOCOMO, "longmemeval": LONGMEMEVAL, "beam": BEAM, "memdaily": MEMDAILY, "xquad": XQUAD}


def write(folder: Path, suite: str, suffix: str = "") -> Path:
    """Writes the made-up file of a suite, compressed where the suffix says so."""
    material = SUITES[suite]
    lines = suite in ("longmemeval", "beam")
    rows = [json.dumps(one, ensure_ascii=False) for one in material] if lines else [json.dumps(material)]
    path = folder / f"{suite}.{'jsonl' if lines else 'json'}{suffix}"
    raw = "\n".join(rows).encode()
    if suffix == ".gz":
        raw = gzip.compress(raw)
    elif suffix == ".xz":
        raw = lzma.compress(raw)
    path.write_bytes(raw)
    return path
