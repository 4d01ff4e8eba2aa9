-- migrate:needs-program 0260
-- Both sides of a dispute know each other (D-1221), and lists by deadline (D-1222). The version
-- before works beside it: it gives back all of a chargeback, and names no dispute.

-- dispute_id: the dispute of the issuer, where it is of the same tenant. kept: the part of the amount
-- that stays with the network, although the rest is given back.
alter table chargebacks
  add column dispute_id uuid,
  add column kept bigint not null default 0;
alter table chargebacks
  add constraint chargebacks_kept_check check (kept between 0 and amount) not valid;

create index chargebacks_of_dispute on chargebacks (tenant_id, dispute_id)
  where dispute_id is not null;
create index chargebacks_by_deadline on chargebacks (tenant_id, merchant_id, respond_by, id)
  where respond_by is not null;
create index disputes_by_deadline on disputes (tenant_id, deadline, id) where deadline is not null;
