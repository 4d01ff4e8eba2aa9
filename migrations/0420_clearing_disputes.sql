-- migrate:needs-program 0260
-- The dispute that a record of a clearing file has moved (D-1063); null of all others. The version
-- before works beside it: it moves none.

alter table clearing_records add column dispute_id uuid;
