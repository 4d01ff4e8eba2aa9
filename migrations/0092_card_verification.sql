-- Wrong CVV2, iCVV, CVV and expiry dates of a card on the wire (D-122): one row for each card that
-- had one. Right tries leave the row as it is, so it is written only where something was wrong.
-- `tries` holds the instants of the wrong ones within 24 hours before the newest of them, oldest
-- first, and no more of them than the tenant setting may allow.
create table card_verification_tries (
  tenant_id uuid not null,
  card_id uuid not null,
  tries timestamptz[] not null check (cardinality(tries) <= 100),
  primary key (tenant_id, card_id)
);

-- Whether chip entries pass while their cryptograms are not verified; null is the default of the
-- program's mode (D-325).
alter table card_products add column emv text check (emv in ('WAIVED', 'REQUIRED'));
