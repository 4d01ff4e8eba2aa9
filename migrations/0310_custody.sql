-- migrate:needs-program 0260
-- Where the keys of cards are: in this program, or in a security module (D-1010). Null until a start
-- of this version has recorded it. The version before does not read it.
alter table installation
  add column custody text check (custody in ('SOFTWARE', 'MODULE'));
