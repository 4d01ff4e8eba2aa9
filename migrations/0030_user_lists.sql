-- A sub-user that belongs to a business stands in one of its lists (D-19). The list is its parent's
-- list of its type; the place is its position there. The index makes an eleventh impossible.
alter table users
  add column list_place smallint check (list_place between 1 and 10),
  add constraint users_place_of_child check (list_place is null or parent_user_id is not null);
create unique index users_in_lists on users (tenant_id, parent_user_id,
  (case user_type when 'SHAREHOLDER_BUSINESS' then 'SHAREHOLDER' else user_type end), list_place)
  where list_place is not null;
