-- migrate:needs-program 0260
-- Lists the cards of a batch at the bureau (D-1450).

create index cards_of_order on cards (tenant_id, card_order_id, created, id)
  where card_order_id is not null;
