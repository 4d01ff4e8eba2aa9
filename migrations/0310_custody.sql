-- migrate:needs-program 0260
-- Where the keys of cards are: in this program, in a security module, or on their way there, and
-- since when (D-1010). Null until a start of this version has recorded it. The version before does
-- not read it.
alter table installation
  add column custody text,
  add constraint installation_custody_check
    check (custody in ('SOFTWARE', 'MOVING', 'MODULE')),
  add column custody_since timestamptz default now();

-- Where the keys of the product are. The version before writes keys in software.
alter table vault.key_sets
  add column custody text not null default 'SOFTWARE',
  add constraint key_sets_custody_check check (custody in ('SOFTWARE', 'MODULE'));
