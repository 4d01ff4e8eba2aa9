-- To be run by the owner of a database that was restored to a moment, before the program starts on
-- it: psql DATABASE_URL -v numbers=1000 -f after_restore.sql
-- Card numbers are assigned in the order of a counter, which went back too. The cards that were
-- issued after the moment have numbers that people know; they are passed over. `numbers` is at
-- least how many cards and wallet tokens of one product were issued after the moment.
set bezant.tenant = '*';
update vault.ranges
set next = least(next + :numbers, range_end - range_start + 1);
