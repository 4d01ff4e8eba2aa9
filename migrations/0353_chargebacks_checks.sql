-- migrate:needs-program 0260
-- Validates the check of 0352_chargebacks.sql, while others read and write the table.

alter table payouts validate constraint payouts_amount;
