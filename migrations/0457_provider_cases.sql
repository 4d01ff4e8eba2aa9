-- migrate:needs-program 0260
-- A provider of KYC that answers later keeps its own id of the case at once, so that a call that is
-- repeated finds it (D-1260). The version before asks such a provider nothing.

alter table kyc_requests add column provider_case text;
alter table screenings add column provider_case text;
