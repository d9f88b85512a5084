-- Scopes, entries, their vectors and revisions, the idempotency keys that were answered, and documents.
-- Every key is led by the scope, so that the cost of a scope does not follow the size of the file (design D6).
-- Times are microseconds since 1970-01-01 UTC. Fields that have their default are NULL.

CREATE TABLE scopes (
    number     INTEGER PRIMARY KEY,
    path       TEXT    NOT NULL UNIQUE,
    version    INTEGER NOT NULL DEFAULT 0,  -- grows by one with each write that readers can see
    removed_at INTEGER NOT NULL DEFAULT 0   -- the version at which entries were last removed
) STRICT;

CREATE TABLE entries (
    place         INTEGER PRIMARY KEY,      -- the order in which entries were recorded
    scope         INTEGER NOT NULL REFERENCES scopes (number),
    version       INTEGER NOT NULL,         -- the scope's version at its last change
    id            BLOB    NOT NULL,         -- 16 bytes of a UUID
    category      TEXT    NOT NULL,
    memory        TEXT    NOT NULL,
    tags          TEXT,                     -- a JSON array
    created_at    INTEGER NOT NULL,
    relevance     REAL    NOT NULL,
    access_count  INTEGER NOT NULL,
    validated     INTEGER NOT NULL,
    confidence    REAL    NOT NULL,
    origin        TEXT    NOT NULL,
    source        TEXT,
    speaker       TEXT,
    session       TEXT,
    position      INTEGER,
    key           TEXT,
    occurred_at   INTEGER,
    valid_from    INTEGER,
    valid_to      INTEGER,
    expires_at    INTEGER,
    last_accessed INTEGER,
    last_decayed  INTEGER,
    seen_count    INTEGER NOT NULL,
    last_seen     INTEGER,
    superseded_by BLOB,
    contested_with TEXT,                    -- a JSON array of ids
    metadata      TEXT                      -- a JSON object
) STRICT;

CREATE UNIQUE INDEX entries_by_id ON entries (scope, id);
CREATE INDEX entries_by_version ON entries (scope, version);
CREATE INDEX entries_by_place ON entries (scope);
CREATE INDEX entries_by_key ON entries (scope, key) WHERE key IS NOT NULL AND superseded_by IS NULL;
CREATE INDEX entries_by_session ON entries (scope, session) WHERE session IS NOT NULL;
CREATE INDEX entries_by_expiry ON entries (scope, expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX entries_contested ON entries (scope) WHERE contested_with IS NOT NULL;
-- The order in which entries are evicted; the same expression stands in `queries.py` and in `curation.capacity.value`.
CREATE INDEX entries_by_value ON entries (scope, (
    max(coalesce(last_seen, created_at), coalesce(last_accessed, created_at))
    + CAST(relevance * confidence * 15552000000000 AS INTEGER) + min(seen_count - 1, 12) * 2592000000000
)) WHERE superseded_by IS NULL AND validated = 0;
CREATE INDEX entries_by_successor ON entries (scope, superseded_by) WHERE superseded_by IS NOT NULL;
CREATE INDEX entries_derived ON entries (scope) WHERE instr(metadata, '"derived_from":') > 0;

CREATE TABLE embedders (
    number INTEGER PRIMARY KEY,
    key    TEXT    NOT NULL UNIQUE          -- name, version, weights and width: only vectors of one key are compared
) STRICT;

-- A signed byte for each number of a vector of length 1; times the scale it is the vector.
CREATE TABLE vectors (
    scope    INTEGER NOT NULL REFERENCES scopes (number),
    place    INTEGER NOT NULL,              -- the entry's
    embedder INTEGER NOT NULL REFERENCES embedders (number),
    scale    REAL    NOT NULL,
    numbers  BLOB    NOT NULL,
    PRIMARY KEY (scope, place, embedder)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER vectors_of_a_changed_text AFTER UPDATE OF memory ON entries WHEN old.memory <> new.memory BEGIN
    DELETE FROM vectors WHERE scope = old.scope AND place = old.place;
END;

CREATE TRIGGER vectors_of_a_removed_entry AFTER DELETE ON entries BEGIN
    DELETE FROM vectors WHERE scope = old.scope AND place = old.place;
END;

CREATE TABLE revisions (
    scope   INTEGER NOT NULL REFERENCES scopes (number),
    id      BLOB    NOT NULL,               -- the entry's
    number  INTEGER NOT NULL,
    change  TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    because TEXT    NOT NULL,
    undone  INTEGER NOT NULL,
    entry   TEXT    NOT NULL,               -- the entry as it was, a JSON object
    PRIMARY KEY (scope, id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE acknowledgements (
    scope       INTEGER NOT NULL REFERENCES scopes (number),
    key         TEXT    NOT NULL,
    fingerprint TEXT    NOT NULL,
    at          INTEGER NOT NULL,
    outcome     TEXT    NOT NULL,
    id          BLOB    NOT NULL,           -- the entry's
    because     TEXT    NOT NULL,
    PRIMARY KEY (scope, key)
) STRICT, WITHOUT ROWID;

CREATE INDEX acknowledgements_by_age ON acknowledgements (scope, at);
CREATE INDEX acknowledgements_by_entry ON acknowledgements (scope, id);

-- Entries that were removed to tidy the scope: never their texts. Readers learn from it what is gone.
CREATE TABLE tombstones (
    scope   INTEGER NOT NULL REFERENCES scopes (number),
    version INTEGER NOT NULL,               -- the scope's version at the removal
    id      BLOB    NOT NULL,
    at      INTEGER NOT NULL,
    because TEXT    NOT NULL,
    PRIMARY KEY (scope, version, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX tombstones_by_entry ON tombstones (scope, id);

-- Texts that a scope keeps beside its entries: core blocks, working graphs, archived spans.
CREATE TABLE documents (
    place   INTEGER PRIMARY KEY,            -- the order in which documents were first put
    scope   INTEGER NOT NULL REFERENCES scopes (number),
    id      BLOB    NOT NULL DEFAULT (randomblob(16)), -- by it an erasure is noted; it says nothing of the name
    kind    TEXT    NOT NULL,
    session TEXT    NOT NULL,               -- empty for one of the scope itself
    name    TEXT    NOT NULL,
    at      INTEGER NOT NULL,
    body    TEXT    NOT NULL                -- last, so that what stands before it is read without it
) STRICT;

CREATE UNIQUE INDEX documents_by_key ON documents (scope, kind, session, name);
CREATE INDEX documents_by_session ON documents (scope, kind, session);
CREATE INDEX documents_by_kind ON documents (scope, kind);

-- The entries that say the same as a document in other words, in its order. An entry need not be there any more.
CREATE TABLE document_entries (
    scope    INTEGER NOT NULL REFERENCES scopes (number),
    document INTEGER NOT NULL,              -- the document's place
    number   INTEGER NOT NULL,
    id       BLOB    NOT NULL,              -- the entry's
    PRIMARY KEY (scope, document, number)
) STRICT, WITHOUT ROWID;

CREATE INDEX document_entries_by_entry ON document_entries (scope, id);

CREATE TRIGGER entries_of_a_removed_document AFTER DELETE ON documents BEGIN
    DELETE FROM document_entries WHERE scope = old.scope AND document = old.place;
END;

-- Erased entries and documents of which it is not proved yet that the file holds nothing more: their ids, never their
-- texts or names.
CREATE TABLE erasures (
    scope INTEGER NOT NULL REFERENCES scopes (number),
    id    BLOB    NOT NULL,                 -- the entry's or the document's
    PRIMARY KEY (scope, id)
) STRICT, WITHOUT ROWID;
