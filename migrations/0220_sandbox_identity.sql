-- What the simulated identity provider of a sandbox stores (D-23).

create table sandbox_applicants (
  tenant_id uuid not null,
  id uuid not null,
  -- The checks that were requested.
  checks text[] not null,
  -- Of the SDK token, which is not stored.
  token_hash bytea,
  token_expires timestamptz,
  -- When the applicant submitted documents and pictures.
  submitted timestamptz,
  created timestamptz not null,
  modified timestamptz not null,
  primary key (tenant_id, id)
);
create unique index sandbox_applicants_by_token on sandbox_applicants (tenant_id, token_hash)
  where token_hash is not null;

-- What an applicant uploaded, without the bytes: no check of a sandbox reads them.
create table sandbox_media (
  tenant_id uuid not null,
  id uuid not null,
  applicant_id uuid not null,
  kind text not null check (kind in ('document_front', 'document_back', 'face')),
  content_type text not null,
  -- Bytes.
  size integer not null,
  -- SHA-256.
  digest bytea not null,
  created timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, applicant_id) references sandbox_applicants (tenant_id, id)
);
create index sandbox_media_of_applicant on sandbox_media (tenant_id, applicant_id);
