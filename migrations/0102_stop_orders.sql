-- Orders to decline the recurring payments of a merchant (D-111).

create table stop_orders (
  tenant_id uuid not null,
  id uuid not null,
  -- The card that the order was made for. It holds for every card of the chain (D-423).
  card_id uuid not null,
  chain_id uuid not null,
  merchant_id text not null check (length(merchant_id) between 1 and 15),
  created timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, card_id) references cards (tenant_id, id)
);
-- One order a merchant; decisions look it up.
create unique index stop_orders_of_chain on stop_orders (tenant_id, chain_id, merchant_id);
-- For the list of a card's orders.
create index stop_orders_newest on stop_orders (tenant_id, chain_id, created, id);
