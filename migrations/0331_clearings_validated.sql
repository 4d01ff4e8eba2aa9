-- migrate:needs-program 0260
-- What 0330 added without reading the tables.

alter table accounts validate constraint accounts_kind_check;
alter table accounts validate constraint accounts_kept_or_summed;
alter table transfers validate constraint transfers_kind_check;
