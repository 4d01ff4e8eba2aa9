-- migrate:needs-program 0260
-- migrate:no-transaction
-- Steps of disputes by files of the card network and by time have audit records too (D-1351). The
-- version before shows their actors as it reads them.

alter table audit_records
  drop constraint if exists audit_records_actor_kind_check,
  add constraint audit_records_actor_kind_check check (actor_kind in ('client', 'operator',
    'merchant', 'widget', 'member', 'network', 'system')) not valid;
alter table audit_records validate constraint audit_records_actor_kind_check;
