-- name: scope_number
-- The number of a scope's path.
SELECT number FROM scopes WHERE path = :path;

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
-- Scopes that hold entries: all of them, or one path and what stands below it.
SELECT path FROM scopes
WHERE path > :after
  AND (:prefix = '' OR path = :prefix OR (path >= :prefix || '/' AND path < :prefix || '0'))
  AND EXISTS (SELECT 1 FROM entries WHERE entries.scope = scopes.number)
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

-- name: expired
-- Entries whose time has come.
SELECT {columns} FROM entries WHERE scope = :scope AND expires_at <= :now ORDER BY place;

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
SELECT (SELECT count(DISTINCT scope) FROM entries),
       (SELECT count(*) FROM entries),
       (SELECT count(*) FROM entries WHERE superseded_by IS NOT NULL),
       (SELECT count(*) FROM entries WHERE superseded_by IS NULL AND expires_at <= :now),
       (SELECT count(*) FROM revisions);
