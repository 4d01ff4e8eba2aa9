-- Every change of a user's status with who, when and why (D-20). Never updated, never deleted.
create table user_status_changes (
  tenant_id uuid not null,
  id uuid not null,
  user_id uuid not null,
  old_status text not null check (old_status in
    ('PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB', 'ACTIVE', 'SUSPENDED', 'TERMINATED')),
  old_status_reason_code text not null,
  new_status text not null check (new_status in
    ('PENDINGIDVERIFICATION', 'PENDINGKYC', 'PENDINGKYB', 'ACTIVE', 'SUSPENDED', 'TERMINATED')),
  new_status_reason_code text not null,
  actor_kind text not null,
  actor_id text not null,
  note text,
  created timestamptz not null,
  primary key (tenant_id, id),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index user_status_changes_of_user on user_status_changes (tenant_id, user_id, created, id);
