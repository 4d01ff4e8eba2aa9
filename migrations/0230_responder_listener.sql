-- The responder policy of a product (D-514).
alter table card_products add column responder text not null default 'ASK'
  check (responder in ('ASK', 'SKIP'));

-- Questions to the responders of tenants that answer them by calls, in a sandbox (D-510).
create table sandbox_responder_requests (
  tenant_id uuid not null,
  id uuid not null,
  -- The transaction as it would be.
  transaction json not null,
  -- Real time until which it may be answered.
  deadline timestamptz not null,
  -- The process that asks has gone on: no answer is accepted any more.
  is_over boolean not null default false,
  -- approved and amount, as they were sent; null until then.
  answer json,
  primary key (tenant_id, id)
);
-- For the list of those that wait, and for deleting old ones.
create index sandbox_responder_requests_by_deadline
  on sandbox_responder_requests (tenant_id, deadline, id);
