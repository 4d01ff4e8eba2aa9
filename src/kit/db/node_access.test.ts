/**
 * `bezant distribute` names nodes that do not let each other in before it begins. The functions of
 * Citus that prove it are imitated: they answer as it was seen to.
 */

import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createTestDatabase, onServer } from '#test/support/processes/server.ts'
import { listFaultsOfAccess } from './node_access.ts'

const database = await createTestDatabase()
after(database.drop)
before(() => onServer(database.url, (client) => client.query(CATALOG)))

const CATALOG = `
  create table pg_dist_node as select 1 as nodeid, 'two' as nodename, 5432 as nodeport;
  create table pg_dist_object (classid oid, objid oid);
  create function citus_check_cluster_node_health(out from_nodename text, out from_nodeport int,
    out to_nodename text, out to_nodeport int, out result bool) returns setof record
    language sql as $$select 'one', 5432, 'two', 5432, true$$;
  create function run_command_on_all_nodes(text, out nodeid int, out success bool, out result text)
    returns setof record language sql as $$select 1, true, 't'$$;
  create function run_command_on_workers(text, out nodename text, out nodeport int,
    out success bool, out result text)
    returns setof record language sql as $$select 'two', 5432, true, '0'$$;
  create function create_distributed_table(regclass, text, colocate_with text, shard_count int)
    returns void language sql as ''`
const REFUSING = `
  create or replace function create_distributed_table(regclass, text, colocate_with text,
    shard_count int) returns void language plpgsql as
    $$begin raise exception '%', 'connection to the remote node postgres@two:5432 failed '
      'with the following error: FATAL:  password authentication failed for user "postgres"
'; end$$`

const faultsAfter = (text: string): Promise<string[]> =>
  onServer(database.url, async (client) => {
    await client.query("set citus.local_hostname = 'localhost'")
    await client.query(text)
    const found = await listFaultsOfAccess(client, 'bezant_program')
    const { rows } = await client.query("select to_regclass('proof_of_access') as left_over")
    assert.deepEqual(rows, [{ left_over: null }])
    return found
  })

test('nodes that let each other in have no fault', async () => {
  assert.deepEqual(await faultsAfter('select'), [])
})

test('a superuser who cannot connect is named with the node and the reason', async () => {
  assert.deepEqual(await faultsAfter(REFUSING), [
    'the coordinator cannot connect to two:5432 as the superuser postgres (password ' +
      'authentication failed for user "postgres"): let it in there (pg_hba.conf), and give the ' +
      'coordinator the password (pg_dist_authinfo)',
  ])
})
