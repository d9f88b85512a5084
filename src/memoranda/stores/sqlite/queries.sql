-- name: scope_state
-- A scope's number, version, and the version at which entries were last removed.
SELECT number, version, removed_at FROM scopes WHERE path = :path;

-- name: add_scope
-- Makes a scope known at its first write.
INSERT INTO scopes (path) VALUES (:path) ON CONFLICT (path) DO UPDATE SET path = path RETURNING number;

-- name: next_version
-- Moves a scope's version on by one write.
UPDATE scopes SET version = version + 1, removed_at = CASE WHEN :removes THEN version + 1 ELSE removed_at END
WHERE number = :scope RETURNING version;

-- name: scope_paths
-- Scopes that hold entries or documents: all of them, or one path and what stands below it.
SELECT path FROM scopes
WHERE path > :after
  AND (:prefix = '' OR path = :prefix OR (path >= :prefix || '/' AND path < :prefix || '0'))
  AND (EXISTS (SELECT 1 FROM entries WHERE entries.scope = scopes.number)
       OR EXISTS (SELECT 1 FROM documents WHERE documents.scope = scopes.number))
ORDER BY path LIMIT :limit;

-- name: entry
-- One entry by its id, with its place.
SELECT {columns} FROM entries WHERE scope = :scope AND id = :id;

-- name: place
-- Where an entry stands in the order of recording.
SELECT place FROM entries WHERE scope = :scope AND id = :id;

-- name: with_key
-- Entries of a key that were not superseded.
SELECT {columns} FROM entries WHERE scope = :scope AND key = :key AND superseded_by IS NULL ORDER BY place;

-- name: predecessors
-- Entries whose place another one took.
SELECT {columns} FROM entries WHERE scope = :scope AND superseded_by = :id AND id <> :id ORDER BY place;

-- name: contested
-- Entries that cannot be true together with another one.
SELECT {columns} FROM entries
WHERE scope = :scope AND contested_with IS NOT NULL AND superseded_by IS NULL ORDER BY place;

-- name: expired
-- Entries whose time has come, less the validated.
SELECT {columns} FROM entries WHERE scope = :scope AND expires_at <= :now AND validated = 0
ORDER BY expires_at LIMIT :limit;

-- name: least_valuable
-- Entries that are neither superseded nor validated, in the order in which they are evicted.
SELECT {columns} FROM entries WHERE scope = :scope AND superseded_by IS NULL AND validated = 0
ORDER BY {value}, place;

-- name: removed
-- Entries that were removed since a version of the scope.
SELECT id FROM tombstones WHERE scope = :scope AND version > :since;

-- name: tombstone
-- The last note that an entry left.
SELECT at, because FROM tombstones WHERE scope = :scope AND id = :id ORDER BY version DESC LIMIT 1;

-- name: put_tombstone
-- Keeps the note of an entry that goes.
INSERT INTO tombstones (scope, version, id, at, because) VALUES (:scope, :version, :id, :at, :because);

-- name: forget_tombstones
-- Drops the oldest notes over a bound; a whole version at a time, since readers go by versions.
DELETE FROM tombstones WHERE scope = :scope AND version <= (
    SELECT version FROM tombstones WHERE scope = :scope ORDER BY version DESC LIMIT 1 OFFSET :most)
RETURNING version;

-- name: forgotten_until
-- Makes readers that stand at an older version read the scope anew.
UPDATE scopes SET removed_at = max(removed_at, :version) WHERE number = :scope;

-- name: clear_tombstones
-- Takes all notes of a scope away.
DELETE FROM tombstones WHERE scope = :scope;

-- name: newest
-- Entries below a place, newest first.
SELECT place, {columns} FROM entries WHERE scope = :scope AND place < :place ORDER BY place DESC;

-- name: newest_of_session
-- Entries of one conversation below a place, newest first.
SELECT place, {columns} FROM entries WHERE scope = :scope AND session = :session AND place < :place ORDER BY place DESC;

-- name: oldest
-- Entries above a place, oldest first.
SELECT place, {columns} FROM entries WHERE scope = :scope AND place > :place ORDER BY place;

-- name: oldest_of_session
-- Entries of one conversation above a place, oldest first.
SELECT place, {columns} FROM entries WHERE scope = :scope AND session = :session AND place > :place ORDER BY place;

-- name: changed
-- Entries that are new or changed since a version of the scope.
SELECT {columns} FROM entries WHERE scope = :scope AND version > :since ORDER BY place;

-- name: changed_vectors
-- The vectors, by one embedder, of entries that are new or changed since a version of the scope.
SELECT entries.id, vectors.scale, vectors.numbers
FROM entries JOIN vectors ON vectors.scope = entries.scope AND vectors.place = entries.place
WHERE entries.scope = :scope AND entries.version > :since
  AND vectors.embedder = (SELECT number FROM embedders WHERE key = :embedder);

-- name: unembedded
-- Entries above a place without a vector of an embedder, oldest first.
SELECT {columns} FROM entries
WHERE scope = :scope AND place > :place AND superseded_by IS NULL
  AND NOT EXISTS (
    SELECT 1 FROM vectors
    WHERE vectors.scope = entries.scope AND vectors.place = entries.place
      AND vectors.embedder = (SELECT number FROM embedders WHERE key = :embedder))
ORDER BY place LIMIT :limit;

-- name: add_embedder
-- Makes an embedder known at its first vector.
INSERT INTO embedders (key) VALUES (:embedder) ON CONFLICT (key) DO UPDATE SET key = key RETURNING number;

-- name: put_vector
-- Keeps the vector of an entry that is there.
INSERT OR REPLACE INTO vectors (scope, place, embedder, scale, numbers)
SELECT scope, place, :embedder, :scale, :numbers FROM entries WHERE scope = :scope AND id = :id;

-- name: touch_entry
-- Makes readers of the scope look at an entry again.
UPDATE entries SET version = :version WHERE scope = :scope AND id = :id;

-- name: count_live
-- How many entries are shown: all, less the superseded, less the expired that were not superseded.
SELECT (SELECT count(*) FROM entries INDEXED BY entries_by_place WHERE scope = :scope)
     - (SELECT count(*) FROM entries WHERE scope = :scope AND superseded_by IS NOT NULL)
     - (SELECT count(*) FROM entries WHERE scope = :scope AND expires_at <= :now AND superseded_by IS NULL);

-- name: put_entry
-- Adds an entry, or puts it in the place of the one of its id.
INSERT INTO entries (scope, version, {columns}) VALUES (:scope, :version, {values})
ON CONFLICT (scope, id) DO UPDATE SET version = excluded.version, {updates};

-- name: remove_entry
-- Takes an entry away.
DELETE FROM entries WHERE scope = :scope AND id = :id;

-- name: remove_revisions
-- Takes away what an entry was before.
DELETE FROM revisions WHERE scope = :scope AND id = :id;

-- name: revisions
-- What an entry was before each change.
SELECT number, change, at, because, undone, entry FROM revisions WHERE scope = :scope AND id = :id ORDER BY number;

-- name: revisions_of_scope
-- What all entries of a scope were before.
SELECT number, change, at, because, undone, entry FROM revisions WHERE scope = :scope ORDER BY id, number;

-- name: put_revision
-- Adds a revision, or puts it in the place of the one of its number.
INSERT OR REPLACE INTO revisions (scope, id, number, change, at, because, undone, entry)
VALUES (:scope, :id, :number, :change, :at, :because, :undone, :entry);

-- name: forget_revision
-- Takes a revision away that is over the bound.
DELETE FROM revisions WHERE scope = :scope AND id = :id AND number = :number;

-- name: acknowledgement
-- What was answered to an idempotency key.
SELECT key, fingerprint, at, outcome, id, because FROM acknowledgements WHERE scope = :scope AND key = :key;

-- name: put_acknowledgement
-- Remembers what is answered to an idempotency key.
INSERT OR REPLACE INTO acknowledgements (scope, key, fingerprint, at, outcome, id, because)
VALUES (:scope, :key, :fingerprint, :at, :outcome, :id, :because);

-- name: forget_acknowledgements
-- Forgets idempotency keys that are too old.
DELETE FROM acknowledgements WHERE scope = :scope AND at < :before;

-- name: totals
-- What the whole file holds.
SELECT (SELECT count(*) FROM (SELECT scope FROM entries UNION SELECT scope FROM documents)),
       (SELECT count(*) FROM entries),
       (SELECT count(*) FROM entries WHERE superseded_by IS NOT NULL),
       (SELECT count(*) FROM entries WHERE superseded_by IS NULL AND expires_at <= :now),
       (SELECT count(*) FROM revisions);

-- name: ids
-- The ids of all entries.
SELECT id FROM entries WHERE scope = :scope ORDER BY place;

-- name: of_source
-- Entries of a source and of places in it.
SELECT {columns} FROM entries
WHERE scope = :scope AND (source = :source OR substr(source, 1, length(:source) + 1) = :source || '#')
ORDER BY place;

-- name: revisions_of_source
-- Revisions that may hold a source; what they hold is looked at again.
SELECT number, change, at, because, undone, entry FROM revisions
WHERE scope = :scope AND instr(entry, :mark) > 0 ORDER BY id, number;

-- name: derived
-- Entries that may have been derived from others; their metadata is looked at again.
SELECT {columns} FROM entries WHERE scope = :scope AND instr(metadata, '"derived_from":') > 0 ORDER BY place;

-- name: vectors_of
-- The vectors of some entries. CROSS JOIN keeps the order of the loops: the ids first, then the rows by their keys.
WITH wanted (id) AS MATERIALIZED (SELECT unhex(value) FROM json_each(:ids))
SELECT vectors.scale, vectors.numbers
FROM wanted
CROSS JOIN entries ON entries.scope = :scope AND entries.id = wanted.id
CROSS JOIN vectors ON vectors.scope = :scope AND vectors.place = entries.place;

-- name: held
-- How many rows of each kind stand for some entries.
WITH wanted (id) AS MATERIALIZED (SELECT unhex(value) FROM json_each(:ids))
SELECT (SELECT count(*) FROM wanted CROSS JOIN entries ON entries.scope = :scope AND entries.id = wanted.id),
       (SELECT count(*) FROM wanted CROSS JOIN revisions ON revisions.scope = :scope AND revisions.id = wanted.id),
       (SELECT count(*) FROM wanted CROSS JOIN entries ON entries.scope = :scope AND entries.id = wanted.id
                                    CROSS JOIN vectors ON vectors.scope = :scope AND vectors.place = entries.place),
       (SELECT count(*) FROM wanted CROSS JOIN acknowledgements
        ON acknowledgements.scope = :scope AND acknowledgements.id = wanted.id),
       (SELECT count(DISTINCT document) FROM wanted CROSS JOIN document_entries
        ON document_entries.scope = :scope AND document_entries.id = wanted.id);

-- name: held_by_scope
-- How many rows of each kind a scope has.
SELECT (SELECT count(*) FROM entries WHERE scope = :scope),
       (SELECT count(*) FROM revisions WHERE scope = :scope),
       (SELECT count(*) FROM vectors WHERE scope = :scope),
       (SELECT count(*) FROM acknowledgements WHERE scope = :scope),
       (SELECT count(*) FROM documents WHERE scope = :scope);

-- name: erase_entries
-- Takes entries away for good, with their vectors (by a trigger).
DELETE FROM entries WHERE scope = :scope AND id IN (SELECT unhex(value) FROM json_each(:ids));

-- name: erase_revisions
-- Takes away what erased entries were before.
DELETE FROM revisions WHERE scope = :scope AND id IN (SELECT unhex(value) FROM json_each(:ids));

-- name: erase_acknowledgements
-- Takes away the idempotency keys that were answered with erased entries.
DELETE FROM acknowledgements WHERE scope = :scope AND id IN (SELECT unhex(value) FROM json_each(:ids));

-- name: clear_entries
-- Takes all entries of a scope away.
DELETE FROM entries WHERE scope = :scope;

-- name: clear_vectors
-- Takes all vectors of a scope away.
DELETE FROM vectors WHERE scope = :scope;

-- name: clear_revisions
-- Takes all revisions of a scope away.
DELETE FROM revisions WHERE scope = :scope;

-- name: clear_acknowledgements
-- Takes all idempotency keys of a scope away.
DELETE FROM acknowledgements WHERE scope = :scope;

-- name: document
-- One document by its key.
SELECT {document} FROM documents WHERE scope = :scope AND kind = :kind AND session = :session AND name = :name;

-- name: documents_of_kind
-- The documents of a kind, in the order in which they were first put.
SELECT {document} FROM documents INDEXED BY documents_by_kind WHERE scope = :scope AND kind = :kind ORDER BY place;

-- name: documents_of_session
-- The documents of a kind and session, in the order in which they were first put.
SELECT {document} FROM documents INDEXED BY documents_by_session
WHERE scope = :scope AND kind = :kind AND session = :session ORDER BY place;

-- name: documents_of_scope
-- All documents of a scope, each kind in the order in which they were first put.
SELECT {document} FROM documents INDEXED BY documents_by_kind WHERE scope = :scope ORDER BY kind, place;

-- name: documents_naming
-- The documents that name one of some entries.
SELECT {document} FROM documents WHERE place IN ({naming}) ORDER BY place;

-- name: document_id
-- The id under which the erasure of a document is noted.
SELECT id FROM documents WHERE scope = :scope AND kind = :kind AND session = :session AND name = :name;

-- name: put_document
-- Adds a document, or puts it in the place of the one of its key.
INSERT INTO documents (scope, kind, session, name, at, body) VALUES (:scope, :kind, :session, :name, :at, :body)
ON CONFLICT (scope, kind, session, name) DO UPDATE SET at = excluded.at, body = excluded.body RETURNING place;

-- name: forget_document_entries
-- Takes away which entries a document names.
DELETE FROM document_entries WHERE scope = :scope AND document = :document;

-- name: put_document_entries
-- Keeps which entries a document names, in their order.
INSERT INTO document_entries (scope, document, number, id)
SELECT :scope, :document, key, unhex(value) FROM json_each(:ids);

-- name: drop_document
-- Takes a document away.
DELETE FROM documents WHERE scope = :scope AND kind = :kind AND session = :session AND name = :name;

-- name: erase_documents
-- Takes the documents away that name erased entries.
DELETE FROM documents WHERE place IN ({naming});

-- name: clear_documents
-- Takes all documents of a scope away.
DELETE FROM documents WHERE scope = :scope;

-- name: owe_document
-- Notes that the proof of an erased document is owed.
INSERT INTO erasures (scope, id)
SELECT scope, id FROM documents WHERE scope = :scope AND kind = :kind AND session = :session AND name = :name;

-- name: owe_documents
-- Notes that the proof of the documents that name erased entries is owed.
INSERT INTO erasures (scope, id) SELECT scope, id FROM documents WHERE place IN ({naming});

-- name: owe_all_documents
-- Notes that the proof of all documents of a scope is owed.
INSERT INTO erasures (scope, id) SELECT scope, id FROM documents WHERE scope = :scope;

-- name: owe
-- Notes that the proof of erased entries is owed.
INSERT OR IGNORE INTO erasures (scope, id) SELECT :scope, unhex(value) FROM json_each(:ids);

-- name: owed
-- Erased entries and documents whose proof is owed.
SELECT scope, id FROM erasures ORDER BY scope, id;

-- name: count_owed
-- How many there are.
SELECT count(*) FROM erasures;

-- name: settle
-- Notes that the proof of an erased entry or document was given.
DELETE FROM erasures WHERE scope = :scope AND id = :id;

-- name: text_is_held
-- Whether some row holds a text, or holds it as JSON.
SELECT EXISTS (SELECT 1 FROM entries WHERE instr(memory, :text) OR instr(tags, :text) OR instr(metadata, :text)
                   OR instr(source, :text) OR instr(speaker, :text) OR instr(session, :text) OR instr(key, :text))
    OR EXISTS (SELECT 1 FROM revisions WHERE instr(entry, :text) OR instr(because, :text))
    OR EXISTS (SELECT 1 FROM acknowledgements WHERE instr(key, :text) OR instr(because, :text))
    OR EXISTS (SELECT 1 FROM documents WHERE instr(body, :text) OR instr(name, :text) OR instr(session, :text))
    OR EXISTS (SELECT 1 FROM scopes WHERE instr(path, :text))
    OR EXISTS (SELECT 1 FROM embedders WHERE instr(key, :text));

-- name: all_entries
-- Every entry of the file, with its id first.
SELECT id, {columns} FROM entries ORDER BY place;

-- name: all_revisions
-- Every revision of the file, with its entry's id first.
SELECT id, number, change, at, because, undone, entry FROM revisions;

-- name: all_documents
-- Every document of the file, with its id first.
SELECT id, {document} FROM documents;

-- name: vector_widths
-- How wide the vectors of each embedder are.
SELECT embedders.key, min(length(numbers)), max(length(numbers)), count(*)
FROM vectors JOIN embedders ON embedders.number = vectors.embedder GROUP BY vectors.embedder;

-- name: orphan_vectors
-- How many vectors have no entry.
SELECT count(*) FROM vectors
WHERE NOT EXISTS (SELECT 1 FROM entries WHERE entries.place = vectors.place AND entries.scope = vectors.scope);

-- name: remove_orphan_vectors
-- Takes them away.
DELETE FROM vectors
WHERE NOT EXISTS (SELECT 1 FROM entries WHERE entries.place = vectors.place AND entries.scope = vectors.scope);

-- name: orphan_revisions
-- How many revisions have no entry.
SELECT count(*) FROM revisions
WHERE NOT EXISTS (SELECT 1 FROM entries WHERE entries.scope = revisions.scope AND entries.id = revisions.id);

-- name: remove_orphan_revisions
-- Takes them away.
DELETE FROM revisions
WHERE NOT EXISTS (SELECT 1 FROM entries WHERE entries.scope = revisions.scope AND entries.id = revisions.id);

-- name: orphan_names
-- How often an entry is named by a document that is gone.
SELECT count(*) FROM document_entries
WHERE NOT EXISTS (
    SELECT 1 FROM documents WHERE documents.place = document_entries.document AND documents.scope = document_entries.scope);

-- name: remove_orphan_names
-- Takes that away.
DELETE FROM document_entries
WHERE NOT EXISTS (
    SELECT 1 FROM documents WHERE documents.place = document_entries.document AND documents.scope = document_entries.scope);

-- name: dangling_successors
-- How many superseded entries name a successor that is gone.
SELECT count(*) FROM entries AS past
WHERE superseded_by IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM entries AS next WHERE next.scope = past.scope AND next.id = past.superseded_by);

-- name: version_dangling
-- Moves the version of their scopes on.
UPDATE scopes SET version = version + 1 WHERE number IN (
    SELECT scope FROM entries AS past
    WHERE superseded_by IS NOT NULL
      AND NOT EXISTS (SELECT 1 FROM entries AS next WHERE next.scope = past.scope AND next.id = past.superseded_by));

-- name: retract_dangling
-- Makes them entries that were taken back.
UPDATE entries SET superseded_by = id, version = (SELECT scopes.version FROM scopes WHERE number = entries.scope)
WHERE superseded_by IS NOT NULL
  AND NOT EXISTS (SELECT 1 FROM entries AS next WHERE next.scope = entries.scope AND next.id = entries.superseded_by);
