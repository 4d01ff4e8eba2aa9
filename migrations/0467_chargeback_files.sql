-- migrate:needs-program 0260
-- Files of the evidence of shops (D-1410). The version before works beside it: it shows none, and
-- counts their bytes in no invariant.

-- Their bytes are sealed in the blob store, as those of identifications.
create table chargeback_files (
  tenant_id uuid not null,
  id uuid not null,
  chargeback_id uuid not null,
  file_name text not null,
  content_type text not null,
  -- Bytes, before sealing.
  size bigint not null check (size > 0),
  sha256 bytea not null,
  -- The name of the sealed bytes in the blob store, and their key, sealed under a data key.
  blob_key text not null,
  sealed_key bytea not null,
  -- HELD: the virus scanner has not seen the file yet, and it is neither served nor sent.
  scan_status text not null check (scan_status in ('NOT_SCANNED', 'HELD', 'CLEAN', 'INFECTED')),
  -- When a held file is sent to the scanner again, on the database's clock.
  scan_due timestamptz,
  created timestamptz not null,
  deleted timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, chargeback_id) references chargebacks (tenant_id, id)
);
-- For the list of a dispute's files, and for the sweep that scans held ones.
create index chargeback_files_newest on chargeback_files (tenant_id, chargeback_id, created, id)
  where deleted is null;
create index chargeback_files_to_scan on chargeback_files (tenant_id, scan_due)
  where scan_due is not null;
