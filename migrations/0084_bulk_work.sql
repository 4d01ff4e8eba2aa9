-- What the work on a bulk issuance needs (D-38).
alter table bulk_issuances
  -- What its cards are, as the product had it when the work began: all of them are alike.
  add column terms jsonb,
  add constraint bulk_issuances_begun check (status not in ('PROCESSING', 'COMPLETED')
    or (first_number is not null and terms is not null)),
  add constraint bulk_issuances_due check ((due is not null) = (status in ('SUBMITTED', 'PROCESSING'))),
  add constraint bulk_issuances_told check ((error is not null) = (status = 'FAILED')),
  add constraint bulk_issuances_whole check (case status
    when 'COMPLETED' then issued_cards = number_of_cards
    when 'FAILED' then issued_cards = 0 and failed_cards = number_of_cards
    else failed_cards = 0 end);

-- Money that is set aside for a bulk issuance goes to many accounts, and waits without an end.
alter table holds
  alter column contra_account_id drop not null,
  alter column expires drop not null;

-- Tells how far the plastic of a bulk issuance is by one look for each status.
create index cards_of_bulk_by_fulfillment
  on cards (tenant_id, bulk_issuance_id, fulfillment_status) where bulk_issuance_id is not null;
