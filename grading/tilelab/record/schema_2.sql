-- What a person says about a line of a file, or about all of it if `line` is 0. What the same person
-- says there later replaces it; an empty text takes it back.
CREATE TABLE IF NOT EXISTS remark (
  number INTEGER PRIMARY KEY,
  student TEXT NOT NULL,
  lab TEXT NOT NULL,
  sha256 TEXT NOT NULL,   -- of the file
  line INTEGER NOT NULL,
  text TEXT NOT NULL,
  points REAL NOT NULL,
  by TEXT NOT NULL,
  at TEXT NOT NULL        -- ISO 8601, UTC
);
