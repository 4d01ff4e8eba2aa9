-- migrate:needs-program 0260
-- migrate:no-transaction
-- For the presentments of a transaction, whose elements a chargeback repeats. It is built while
-- others read and write the table.

drop index concurrently if exists clearing_records_by_transaction;
create index concurrently clearing_records_by_transaction
  on clearing_records (tenant_id, transaction_id) where transaction_id is not null;
