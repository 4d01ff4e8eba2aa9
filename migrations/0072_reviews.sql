-- The operator names a user without his tenant, and sees who waits in all tenants (D-100).
create index users_by_id on users (id);
create index users_in_review on users (created, id)
  where status = 'PENDINGKYB' or (status = 'SUSPENDED' and status_reason_code = 'S5');
