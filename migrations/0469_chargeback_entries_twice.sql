-- migrate:needs-program 0260
-- A chargeback beside a refund that fails takes the rest later, by an entry of its own (D-1413). The
-- version before works beside it: it sums the entries of a chargeback.

create unique index chargeback_reversals_once on chargeback_entries (tenant_id, chargeback_id)
  where type = 'CHARGEBACK_REVERSAL';
create index chargeback_entries_of_chargeback on chargeback_entries (tenant_id, chargeback_id);
drop index chargeback_entries_once;
