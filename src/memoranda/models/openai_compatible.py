"""Any service that answers `POST <base>/embeddings` as OpenAI's does: OpenAI, a gateway, or a server of one's own."""

from __future__ import annotations

import os
import threading
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

from memoranda.bridge.offload import offload
from memoranda.errors import EmbedderError
from memoranda.models.extras import require
from memoranda.protocols.embedder import EmbedderIdentity, Kind, Vector
from memoranda.text.clean import storable

if TYPE_CHECKING:
    import httpx

OPENAI: Final = "https://api.openai.com/v1"
MAX_BYTES: Final = 16_384
"""Default bound of a text: about 4,000 tokens of English; in other scripts too below the 8,192 of OpenAI's models."""

_RETRIED: Final = (429, 500, 502, 503, 504)
_LONGEST_WAIT: Final = 30.0
_SHOWN: Final = 200


class OpenAICompatibleEmbedder:
    """An embedder behind an HTTP endpoint in OpenAI's format. Needs the extra `http`.

    A request that is throttled, fails on the server's side or times out is repeated, with a growing wait or the one
    that the server asks for; at most 30 seconds each. Safe in several threads.

    Args:
        model: the service's name of the model.
        dimensions: numbers in its vectors; another width is refused.
        floor: the cosine under which an entry is no answer; measure it for the model (docs/howto/embedders.md).
        base_url: where the API begins, such as `http://localhost:8080/v1`.
        api_key: sent as a bearer token. Without one OPENAI_API_KEY is read, and sent to OpenAI only.
        shorten: whether `dimensions` is sent too, for models that can give shorter vectors.
        query_prefix: what the model wants before a query.
        document_prefix: what the model wants before a document.
        version: raise it when the service changes the model under the same name.
        timeout: seconds for each try to connect and to answer.
        retries: most repetitions of a request.
        backoff: seconds of the first wait; each later one is twice as long.
        max_bytes: a text is cut to this many bytes of UTF-8; its tail is not embedded (case V05).
        client: an HTTP client of one's own, for a proxy or certificates; retries and timeout are then its own.
    """

    never_suspends = True

    def __init__(
        self,
        model: str,
        *,
        dimensions: int,
        floor: float,
        base_url: str = OPENAI,
        api_key: str | None = None,
        shorten: bool = False,
        query_prefix: str = "",
        document_prefix: str = "",
        version: str = "1",
        timeout: float = 30.0,
        retries: int = 4,
        backoff: float = 0.5,
        max_bytes: int = MAX_BYTES,
        client: httpx.Client | None = None,
    ) -> None:
        self.identity = EmbedderIdentity(name=model, version=version, dimensions=dimensions, floor=floor)
        self._url = base_url.rstrip("/") + "/embeddings"
        self._key = api_key or (os.environ.get("OPENAI_API_KEY") if base_url.rstrip("/") == OPENAI else None)
        self._body: dict[str, Any] = {"model": model, "encoding_format": "float"}
        if shorten:
            self._body["dimensions"] = dimensions
        self._prefixes: dict[Kind, str] = {"query": query_prefix, "document": document_prefix}
        self._timeout = timeout
        self._retries = retries
        self._backoff = backoff
        self._max_bytes = max_bytes
        self._lock = threading.Lock()
        self._given = client
        self._own: tuple[int, httpx.Client] | None = None

    async def embed(self, texts: Sequence[str], *, kind: Kind) -> Sequence[Vector]:
        """Returns a vector for each text, in order, from one request.

        Raises:
            EmbedderError: the service cannot be reached, refuses, or answers with something else.
            EmbedderUnavailable: the extra `http` is not installed.
        """
        given = [self._prefixes[kind] + self._start(text) for text in texts]
        return await offload(lambda: self._embed(given)) if given else []

    def truncated(self, text: str) -> bool:
        """Tells whether only the start of the text is sent."""
        return len(storable(text).encode()) > self._max_bytes

    def close(self) -> None:
        """Closes the connections; a client that was given stays open."""
        with self._lock:
            own, self._own = self._own, None
        if own is not None:
            own[1].close()

    def _start(self, text: str) -> str:
        return storable(text).encode()[: self._max_bytes].decode(errors="ignore")

    def _embed(self, texts: list[str]) -> list[Vector]:
        http = require("httpx", "http")
        headers = {"Authorization": f"Bearer {self._key}"} if self._key else {}
        try:
            response = self._client(http).post(self._url, json={**self._body, "input": texts}, headers=headers)
        except http.HTTPError as error:
            raise EmbedderError(f"{self._url}: {type(error).__name__}: {error}") from error
        if response.status_code != http.codes.OK:
            raise EmbedderError(f"{self._url} answered {response.status_code}: {response.text[:_SHOWN]}")
        try:
            return _vectors(response.json(), len(texts))
        except (KeyError, TypeError, ValueError) as error:
            raise EmbedderError(
                f"{self._url} did not answer with embeddings in OpenAI's format ({error}): {response.text[:_SHOWN]!r}"
            ) from error

    def _client(self, http: Any) -> httpx.Client:
        """Returns the given client, or our own: one a process, since a fork must not share a connection."""
        if self._given is not None:
            return self._given
        with self._lock:
            if self._own is None or self._own[0] != os.getpid():
                self._own = (os.getpid(), self._new_client(http))
            return self._own[1]

    def _new_client(self, http: Any) -> httpx.Client:
        retrying = require("httpx_retries", "http")
        retry = retrying.Retry(
            total=self._retries,
            backoff_factor=self._backoff,
            max_backoff_wait=_LONGEST_WAIT,
            allowed_methods=("POST",),
            status_forcelist=_RETRIED,
        )
        client: httpx.Client = http.Client(timeout=self._timeout, transport=retrying.RetryTransport(retry=retry))
        return client


def _vectors(answer: Any, expected: int) -> list[Vector]:
    """Returns the vectors in the order of the texts, which is the order of their `index`, not of the list."""
    found: dict[int, list[float]] = {}
    for item in answer["data"]:
        vector = item["embedding"]
        if not isinstance(vector, list) or not all(isinstance(number, (int, float)) for number in vector):
            raise ValueError("an embedding is not a list of numbers")
        found[item["index"]] = vector
    if sorted(found) != list(range(expected)):
        raise ValueError(f"{len(found)} embeddings for {expected} texts")
    return [found[position] for position in range(expected)]
