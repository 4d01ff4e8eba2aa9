-- migrate:needs-program 0260
-- Validates the check of 0455_chargebacks_of_disputes.sql, while others read and write the table.

alter table chargebacks validate constraint chargebacks_kept_check;
