-- migrate:needs-program 0260
-- migrate:no-transaction
-- The list of the rounds of 0401_screening_rounds.sql, whatever the number of users that have ended.
drop index concurrently if exists users_active;
create index concurrently users_active on users (tenant_id, id) where status = 'ACTIVE';
