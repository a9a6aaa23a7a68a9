/** Stands in the header of every corpus file ("WHRp"), so that another SQLite file is never taken for one. */
export const APPLICATION_ID = 0x57485270;

/**
 * Each entry takes a corpus from the version that is its index to the next. Never change one that was released:
 * add another. Payloads are the last column, so that a list need not read them.
 */
export const MIGRATIONS: readonly string[] = [
  `
  CREATE TABLE event (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    given_id TEXT,
    received_at INTEGER NOT NULL,
    provider TEXT NOT NULL,
    type TEXT,
    event_id TEXT,
    delivery_id TEXT,
    occurred_at TEXT,
    resource TEXT,
    method TEXT NOT NULL,
    path TEXT NOT NULL,
    query TEXT,
    marks TEXT NOT NULL,
    original_bytes INTEGER,
    payload_bytes INTEGER NOT NULL,
    answer TEXT,
    digest BLOB NOT NULL,
    headers TEXT NOT NULL,
    payload BLOB NOT NULL
  ) STRICT;
  CREATE INDEX event_by_time ON event (received_at);
  CREATE INDEX event_by_provider ON event (provider, received_at);
  CREATE INDEX event_by_type ON event (type, received_at) WHERE type IS NOT NULL;
  CREATE INDEX event_by_event_id ON event (event_id, received_at) WHERE event_id IS NOT NULL;
  CREATE INDEX event_by_resource ON event (resource, received_at) WHERE resource IS NOT NULL;
  CREATE INDEX event_by_digest ON event (digest);

  CREATE TABLE event_tag (
    event INTEGER NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
    tag TEXT NOT NULL,
    PRIMARY KEY (event, tag)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX event_tag_by_tag ON event_tag (tag, event);

  CREATE TABLE run (
    id TEXT PRIMARY KEY,
    started_at TEXT NOT NULL,
    document TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX run_by_time ON run (started_at);

  CREATE TABLE attempt (
    run TEXT NOT NULL,
    number INTEGER NOT NULL,
    document TEXT NOT NULL,
    body BLOB,
    PRIMARY KEY (run, number)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE evidence (
    run TEXT NOT NULL,
    position INTEGER NOT NULL,
    part TEXT NOT NULL,
    document BLOB NOT NULL,
    PRIMARY KEY (run, position)
  ) STRICT, WITHOUT ROWID;
  `,
  `
  CREATE TABLE arrival (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL,
    received_at INTEGER NOT NULL,
    head TEXT NOT NULL,
    payload BLOB NOT NULL
  ) STRICT;
  CREATE TABLE arrival_answer (
    id TEXT PRIMARY KEY,
    answer TEXT NOT NULL
  ) STRICT, WITHOUT ROWID;
  `,
];

export const VERSION = MIGRATIONS.length;
