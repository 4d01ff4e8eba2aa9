-- When a data key began to seal. Before that it opens only, so that every process knows it by the
-- time the first bytes are sealed under it (key rotation).
alter table data_keys add column activated timestamptz;
update data_keys set activated = created;
