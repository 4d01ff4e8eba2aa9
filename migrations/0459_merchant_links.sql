-- migrate:needs-program 0260
-- The addresses of a shop's terms and support, to which its payment page leads (D-1280). The version
-- before works beside it: it shows none.

alter table merchants
  add column terms_url text,
  add column support_url text;
