-- migrate:needs-program 0260
-- migrate:no-transaction
-- A shop's files of evidence are files of the issuer's dispute too, where both are of one tenant
-- (D-1411). Such a row owns no bytes. The version before works beside it: it writes none, and its
-- doctor counts their bytes twice.

alter table dispute_files add column if not exists source text not null default 'ISSUER';
alter table dispute_files
  drop constraint if exists dispute_files_source_check,
  add constraint dispute_files_source_check check (source in ('ISSUER', 'MERCHANT')) not valid;
alter table dispute_files validate constraint dispute_files_source_check;
