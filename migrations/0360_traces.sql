-- migrate:needs-program 0260
-- The version before writes and reads events without it.

-- The place in a trace of each event of the row, as W3C Trace Context writes it, in the order of
-- its events; '-' of one that has none. Null while nothing is traced.
alter table events add column traceparents text[];
