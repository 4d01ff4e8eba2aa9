-- migrate:needs-program 0260
-- An import that nobody goes on with, as of a process that was killed, is cleared away (D-1330). The
-- version before works beside it: its files have no time here, and get longer.

-- When the import was last seen at work; null of a file that is checked no more.
alter table clearing_files add column checked timestamptz;
