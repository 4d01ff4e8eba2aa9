-- The program's database and the user that owns it, on a new server, as its administrator. The name
-- and the password are those of DATABASE_URL, in the file that compose.yaml gives to both services.
\set ON_ERROR_STOP on
\set password `sed -E 's,^[^/]*//[^:]*:([^@]*)@.*$,\1,' /run/secrets/database_url`
create role bezant createrole login password :'password';
create database bezant owner bezant;
