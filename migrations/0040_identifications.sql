-- Identity documents of users, and the files that show them (D-26 to D-28).

create table identifications (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  type text not null check (type in ('PASSPORT', 'VISA', 'NATIONAL_ID', 'TRADE_LICENSE',
    'COMMERCIAL_LICENSE', 'INCORPORATION_CERT', 'INCUMBENCY_CERT', 'MEMORANDUM_ARTICLES',
    'BANK_STATEMENT', 'ADDITIONAL')),
  number text,
  issuance_authority text,
  place_of_issuance text,
  issuance_date timestamptz,
  expiration_date timestamptz,
  identification_note text,
  document_status text not null check (document_status in
    ('PENDINGKYB', 'PENDING', 'VERIFIED', 'REJECTED')),
  -- Free text of the review; I0 before one.
  document_status_reason text not null,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  check (expiration_date > issuance_date)
);
-- For the list of a user's identifications.
create index identifications_of_user on identifications (tenant_id, user_id, created, id);

-- The properties of the files; their bytes are sealed in the blob store. A deleted file keeps its
-- row, so that its document_version is never assigned again.
create table identification_files (
  tenant_id uuid not null,
  id uuid not null,
  identification_id uuid not null,
  file_name text not null,
  -- That of the identification.
  identification_type text not null,
  -- The side or page that the file shows.
  identification_document_type text not null,
  document_version integer not null check (document_version > 0),
  content_type text not null,
  -- Bytes, before sealing.
  size bigint not null check (size > 0),
  sha256 bytea not null,
  -- The name of the sealed bytes in the blob store.
  blob_key text not null,
  -- The key of the bytes, sealed under a data key.
  sealed_key bytea not null,
  -- HELD: the virus scanner has not seen the file yet, and it is not served.
  scan_status text not null check (scan_status in ('NOT_SCANNED', 'HELD', 'CLEAN', 'INFECTED')),
  -- When a held file is sent to the scanner again, on the database's clock.
  scan_due timestamptz,
  created timestamptz not null,
  deleted timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, identification_id) references identifications (tenant_id, id)
);
create unique index identification_files_versions on identification_files
  (tenant_id, identification_id, identification_document_type, document_version);
-- For the list of an identification's files.
create index identification_files_newest on identification_files
  (tenant_id, identification_id, created, id) where deleted is null;
-- For the sweep that scans held files.
create index identification_files_to_scan on identification_files (tenant_id, scan_due)
  where scan_due is not null;

-- Blobs that no row owns. A row is inserted before the first byte is stored and when a file is
-- deleted; it is removed with the row that takes the blob over, or when the bytes are deleted. So
-- what a crash leaves in the store is known.
create table loose_blobs (
  tenant_id uuid not null,
  blob_key text not null,
  -- From then on no process writes it any more, on the database's clock.
  due timestamptz not null,
  primary key (tenant_id, blob_key)
);
-- For the sweep that deletes them.
create index loose_blobs_due on loose_blobs (tenant_id, due);
