-- What a roster says of a student: several sections are separated by a comma, and those of one group
-- hand in together.
ALTER TABLE student ADD COLUMN section TEXT NOT NULL DEFAULT '';
ALTER TABLE student ADD COLUMN "group" TEXT NOT NULL DEFAULT '';

-- What a student asks about a grade, and what people answer. Neither is ever replaced.
CREATE TABLE question (
  id TEXT PRIMARY KEY,
  student TEXT NOT NULL,
  lab TEXT NOT NULL,
  line INTEGER NOT NULL,  -- 0 if it is about the whole file
  text TEXT NOT NULL,
  at TEXT                 -- ISO 8601, UTC
);
CREATE TABLE answer (
  number INTEGER PRIMARY KEY,
  question TEXT NOT NULL REFERENCES question,
  text TEXT NOT NULL,
  by TEXT NOT NULL,
  at TEXT NOT NULL        -- ISO 8601, UTC
);
