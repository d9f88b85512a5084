import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from memoranda.bridge.drive import Stepper
from memoranda.errors import EmbedderError
from memoranda.models.checked import CheckedEmbedder
from memoranda.models.openai_compatible import OpenAICompatibleEmbedder
from memoranda.models.unit import FloatView
from memoranda.protocols.embedder import Vector

pytest.importorskip("httpx")
pytest.importorskip("httpx_retries")

Answer = tuple[int, str]
NEVER: Answer = (0, "")


class Service:
    """An HTTP server that answers from a script, and then with a vector for each text: its length and 1."""

    def __init__(self) -> None:
        self.script: list[Answer] = []
        self.requests: list[tuple[str, dict[str, str], dict[str, Any]]] = []
        self.release = threading.Event()
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                service.requests.append((self.path, dict(self.headers), body))
                status, text = service.script.pop(0) if service.script else (200, service.vectors(body["input"]))
                if not status:
                    service.release.wait(10)
                    return
                self.send_response(status)
                self.send_header("Content-Length", str(len(text.encode())))
                if status == 429:
                    self.send_header("Retry-After", "0")
                self.end_headers()
                self.wfile.write(text.encode())

            def log_message(self, format: str, *args: Any) -> None:
                return

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/v1"

    @staticmethod
    def vectors(texts: list[str]) -> str:
        rows = [{"index": position, "embedding": [len(text), 1]} for position, text in enumerate(texts)]
        return json.dumps({"data": rows[::-1]})


@pytest.fixture
def service() -> Iterator[Service]:
    made = Service()
    thread = threading.Thread(target=made.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield made
    made.release.set()
    made.server.shutdown()
    thread.join()
    made.server.server_close()


@pytest.fixture
def embedder(service: Service) -> Iterator[OpenAICompatibleEmbedder]:
    made = OpenAICompatibleEmbedder(
        "small", dimensions=2, floor=0.4, base_url=service.url, api_key="k-1", backoff=0.001, retries=2
    )
    yield made
    made.close()


def embed(embedder: OpenAICompatibleEmbedder, *texts: str) -> list[Vector]:
    return list(Stepper().run(embedder.embed(texts, kind="document")))


def checked(embedder: OpenAICompatibleEmbedder, *texts: str) -> list[FloatView]:
    return Stepper().run(CheckedEmbedder(embedder).embed(texts, kind="document"))


def test_vectors_come_back_by_their_index(service: Service, embedder: OpenAICompatibleEmbedder) -> None:
    assert embed(embedder, "a", "bbb", "cc") == [[1, 1], [3, 1], [2, 1]]
    path, headers, body = service.requests[0]
    assert path == "/v1/embeddings"
    assert headers["Authorization"] == "Bearer k-1"
    assert body == {"model": "small", "encoding_format": "float", "input": ["a", "bbb", "cc"]}
    assert embed(embedder) == []
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [429, 500, 503])
def test_a_throttled_or_failing_service_is_asked_again(
    service: Service, embedder: OpenAICompatibleEmbedder, status: int
) -> None:
    service.script = [(status, "later"), (status, "later")]
    assert embed(embedder, "a") == [[1, 1]]
    assert len(service.requests) == 3


def test_after_the_last_retry_the_services_words_are_told(service: Service, embedder: OpenAICompatibleEmbedder) -> None:
    service.script = [(429, "quota of today is used up")] * 3
    with pytest.raises(EmbedderError, match="answered 429: quota of today is used up"):
        embed(embedder, "a")


def test_a_refusal_is_not_repeated_and_the_key_is_not_told(
    service: Service, embedder: OpenAICompatibleEmbedder
) -> None:
    service.script = [(401, "wrong key")]
    with pytest.raises(EmbedderError, match="answered 401: wrong key") as failure:
        embed(embedder, "a")
    assert len(service.requests) == 1
    assert "k-1" not in str(failure.value)


@pytest.mark.parametrize(
    "garbage",
    [
        "<html>Bad gateway</html>",
        "[]",
        "{}",
        '{"data": [{"index": 0}]}',
        '{"data": [{"index": 0, "embedding": "AACAPw=="}]}',
        '{"data": [{"index": 0, "embedding": [1, "1"]}]}',
        '{"data": [{"index": 1, "embedding": [1, 1]}]}',
        '{"data": []}',
        '{"data": [{"index": 0, "embedding": [1, 1]}, {"index": 1, "embedding": [1, 1]}]}',
    ],
)
def test_what_is_no_answer_is_told(service: Service, embedder: OpenAICompatibleEmbedder, garbage: str) -> None:
    service.script = [(200, garbage)]
    with pytest.raises(EmbedderError, match="OpenAI's format"):
        embed(embedder, "a")


@pytest.mark.parametrize(
    ("vector", "says"),
    [
        ("[1, 2, 3]", "a vector of 3 numbers and says that its vectors hold 2"),
        ("[NaN, 1]", "NaN"),
        ("[1e999, 1]", "inf"),
    ],
)
def test_v03_v06_unsound_vectors_are_refused(
    service: Service, embedder: OpenAICompatibleEmbedder, vector: str, says: str
) -> None:
    service.script = [(200, f'{{"data": [{{"index": 0, "embedding": {vector}}}]}}')]
    with pytest.raises(EmbedderError, match=says):
        checked(embedder, "a")


def test_v06_a_service_that_does_not_answer_is_given_up(service: Service) -> None:
    service.script = [NEVER, NEVER]
    embedder = OpenAICompatibleEmbedder(
        "small", dimensions=2, floor=0.4, base_url=service.url, timeout=0.1, retries=1, backoff=0.001
    )
    with pytest.raises(EmbedderError, match="ReadTimeout"):
        embed(embedder, "a")
    embedder.close()
    assert len(service.requests) == 2


def test_nobody_there_is_told() -> None:
    embedder = OpenAICompatibleEmbedder("small", dimensions=2, floor=0.4, base_url="http://127.0.0.1:9/v1", retries=0)
    with pytest.raises(EmbedderError, match=r"127\.0\.0\.1:9/v1/embeddings: ConnectError"):
        embed(embedder, "a")
    embedder.close()


def test_v05_a_long_text_is_cut_at_a_character(service: Service) -> None:
    embedder = OpenAICompatibleEmbedder("small", dimensions=2, floor=0.4, base_url=service.url, max_bytes=5)
    embed(embedder, "ααα", "a\ud800b")
    assert service.requests[0][2]["input"] == ["αα", "a\ufffdb"]
    assert embedder.truncated("ααα")
    assert not embedder.truncated("abcde")
    embedder.close()


def test_prefixes_and_a_shorter_width_are_sent(service: Service) -> None:
    embedder = OpenAICompatibleEmbedder(
        "small", dimensions=2, floor=0.4, base_url=service.url, shorten=True, query_prefix="query: "
    )
    Stepper().run(embedder.embed(["a"], kind="query"))
    assert service.requests[0][2]["input"] == ["query: a"]
    assert service.requests[0][2]["dimensions"] == 2
    embedder.close()


def test_openais_key_of_the_environment_goes_to_no_other_service(
    service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret")
    embedder = OpenAICompatibleEmbedder("small", dimensions=2, floor=0.4, base_url=service.url)
    embed(embedder, "a")
    assert "Authorization" not in service.requests[0][1]
    embedder.close()


def test_a_client_of_ones_own_is_used_and_left_open(service: Service) -> None:
    import httpx

    with httpx.Client(headers={"X-Team": "blue"}) as client:
        embedder = OpenAICompatibleEmbedder("small", dimensions=2, floor=0.4, base_url=service.url, client=client)
        embed(embedder, "a")
        embedder.close()
        assert not client.is_closed
    assert service.requests[0][1]["X-Team"] == "blue"
