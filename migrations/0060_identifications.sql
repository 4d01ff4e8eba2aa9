-- Identity documents of users and the files that show them (spec "Identification", D-26 to D-28).
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
  document_status_reason text not null,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id),
  check (expiration_date > issuance_date)
);
create index identifications_of_user on identifications (tenant_id, user_id, created, id);

-- What the files are; their bytes lie sealed in the blob store under the file's id. A deleted file
-- keeps its row, so that its document_version is never given again.
create table identification_files (
  tenant_id uuid not null,
  id uuid not null,
  identification_id uuid not null,
  file_name text not null,
  identification_type text not null,
  identification_document_type text not null,
  document_version integer not null check (document_version > 0),
  content_type text not null,
  size bigint not null check (size > 0),
  sha256 bytea not null,
  blob_key text not null,
  sealed_key bytea not null,
  -- HELD files were not seen by the virus scanner yet, and are served to nobody.
  scan_status text not null check (scan_status in ('NOT_SCANNED', 'HELD', 'CLEAN', 'INFECTED')),
  -- When a held file is shown to the scanner again, in real time.
  scan_due timestamptz,
  created timestamptz not null,
  deleted timestamptz,
  primary key (tenant_id, id),
  foreign key (tenant_id, identification_id) references identifications (tenant_id, id)
);
create unique index identification_files_versions on identification_files
  (tenant_id, identification_id, identification_document_type, document_version);
create index identification_files_newest on identification_files
  (tenant_id, identification_id, created, id) where deleted is null;
create index identification_files_to_scan on identification_files (tenant_id, scan_due)
  where scan_due is not null;

-- Blobs that no row owns: written down before the first byte is stored and when a file is deleted,
-- crossed out with the row that takes them over or when the bytes are gone. What a crash leaves is
-- therefore known.
create table loose_blobs (
  tenant_id uuid not null,
  blob_key text not null,
  -- From then on nobody writes it any more, in real time.
  due timestamptz not null,
  primary key (tenant_id, blob_key)
);
create index loose_blobs_due on loose_blobs (tenant_id, due);
