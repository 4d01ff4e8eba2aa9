-- Search by e-mail and mobile: equal values, newest first, straight from an index.
create index users_by_email on users (tenant_id, lower(email), created, id)
  where email is not null;
create index users_by_mobile on users (tenant_id, mobile, created, id) where mobile is not null;

-- Search by name: each user's names, folded, from each of their words to their end. Rare names are
-- found by their term and sorted; for frequent ones the newest users are walked (users/search.ts).
create table user_names (
  tenant_id uuid not null,
  created timestamptz not null,
  user_id uuid not null,
  term text collate "C" not null,
  primary key (tenant_id, created, user_id, term),
  foreign key (tenant_id, user_id) references users (tenant_id, id)
);
create index user_names_by_term on user_names (tenant_id, term, created, user_id);
