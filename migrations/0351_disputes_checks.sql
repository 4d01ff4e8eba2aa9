-- migrate:needs-program 0260
-- Validates the checks of 0350_disputes.sql, while others read and write the tables.

alter table accounts validate constraint accounts_kind_check;
alter table accounts validate constraint accounts_kept_or_summed;
alter table transfers validate constraint transfers_kind_check;
alter table charges validate constraint charges_type_check;
