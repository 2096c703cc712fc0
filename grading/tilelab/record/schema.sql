-- The record of a class, as its first version was; schema_2.sql and later ones add to it. A row is
-- never changed, and deleted only by `forget`: what counts is the last one.

CREATE TABLE setting (name TEXT PRIMARY KEY, value TEXT NOT NULL);

CREATE TABLE machine (id INTEGER PRIMARY KEY, description TEXT NOT NULL UNIQUE);  -- JSON

-- The text of a file, once for all who handed it in.
CREATE TABLE source (sha256 TEXT PRIMARY KEY, text TEXT NOT NULL);

-- What was found out about a text. `key` names everything that it depends on.
CREATE TABLE evidence (
  key TEXT PRIMARY KEY,
  lab TEXT NOT NULL,
  inputs TEXT NOT NULL,   -- JSON: what the key is made of
  machine INTEGER NOT NULL REFERENCES machine,
  seconds REAL NOT NULL,  -- how long it took
  found TEXT NOT NULL     -- JSON
) WITHOUT ROWID;

CREATE TABLE student (key TEXT PRIMARY KEY, name TEXT, email TEXT, id TEXT);

-- A grade. `evidence` is NULL where there is none: no file, or a machine error.
CREATE TABLE grade (
  number INTEGER PRIMARY KEY,
  student TEXT NOT NULL,
  lab TEXT NOT NULL,
  evidence TEXT REFERENCES evidence,
  result TEXT NOT NULL,   -- JSON, as in results.json
  submitted TEXT,         -- ISO 8601, UTC
  days_late INTEGER NOT NULL,
  lost_share REAL NOT NULL,
  written TEXT NOT NULL   -- ISO 8601, UTC
);
CREATE INDEX grade_of ON grade (student, lab);

-- What a person added. NULL takes back what was added before.
CREATE TABLE adjustment (
  number INTEGER PRIMARY KEY,
  student TEXT NOT NULL,
  lab TEXT NOT NULL,
  points REAL,
  comment TEXT NOT NULL,
  by TEXT NOT NULL,
  at TEXT NOT NULL        -- ISO 8601, UTC
);

-- A file whose impossible times a person has looked into.
CREATE TABLE release (student TEXT, lab TEXT, sha256 TEXT, PRIMARY KEY (student, lab, sha256));
