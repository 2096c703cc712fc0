-- What a student signs in with, by which some gradebooks know students.
ALTER TABLE student ADD COLUMN login TEXT NOT NULL DEFAULT '';
