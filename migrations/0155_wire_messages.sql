-- Messages of the card network as they may be shown: a diagnostic, which no decision reads (D-620).

-- Written in batches after the answers have left; what is lost is lost. No foreign key. Partitioned
-- by month.
create table wire_messages (
  tenant_id uuid not null,
  transaction_id uuid not null,
  -- Real time, on the database's clock: when it came or left.
  created timestamptz not null,
  id uuid not null,
  source text not null check (source in ('NETWORK', 'SIMULATED')),
  direction text not null check (direction in ('RECEIVED', 'SENT')),
  mti text not null check (length(mti) = 4),
  -- Of the message, without the header of its frame.
  bytes integer not null check (bytes > 0),
  -- Masked: each a list of number, value, whether it is masked, and parts (iso8583/masked.ts).
  fields json not null,
  primary key (tenant_id, transaction_id, created, id)
) partition by range (created);
