/** A standby that follows a primary, and its promotion. */

import { rmSync } from 'node:fs'
import type { Transcript } from '../transcript.ts'
import { makeFolderOfAccount } from './account.ts'
import { REPLICATOR, runProgram, type Server, serverIn } from './postgres.ts'
import { until } from './until.ts'

const WAITING = "alter system set synchronous_standby_names = '*'"
/** Its value may have come with the copy of a primary: a promoted server would wait for no one. */
const NOT_WAITING = 'alter system reset synchronous_standby_names'

/** Copies the primary while it works into a folder, where nothing is left of another server. */
export async function makeStandby(
  primary: Server,
  { folder, port, transcript }: { folder: string; port: number; transcript: Transcript },
): Promise<Server> {
  rmSync(folder, { recursive: true, force: true })
  makeFolderOfAccount(folder)
  const from = ['-h', '127.0.0.1', '-p', String(primary.port), '-U', REPLICATOR]
  runProgram('pg_basebackup', [...from, '-D', folder, '-c', 'fast', '-R'])
  transcript.print(`$ pg_basebackup -h 127.0.0.1 -U ${REPLICATOR} -D ${folder} -c fast -R`)
  const standby = await serverIn(folder, port)
  await standby.start()
  return standby
}

/** Makes each commit at the primary wait for its standby. */
export async function waitForStandby(primary: Server, transcript: Transcript): Promise<void> {
  await command(primary, WAITING)
  type Row = { line: string; is_sync: boolean }
  let line = ''
  await until('the standby follows, and commits wait for it', async () => {
    const [row] = await primary.query<Row>(
      `select state || ', ' || sync_state as line,
        sync_state = 'sync' and state = 'streaming' as is_sync from pg_stat_replication
      where application_name = 'walreceiver'`,
    )
    line = row?.line ?? ''
    return row?.is_sync === true
  })
  // The checkpointer tells commits to wait, and reads the setting before its next one.
  await primary.query('checkpoint')
  transcript.print(`$ psql -c "${WAITING}" -c 'select pg_reload_conf()' -c checkpoint`)
  transcript.print(`$ psql -c 'select state, sync_state from pg_stat_replication'\n${line}`)
}

/** Resolves when it takes writes. Its commits wait for no standby. */
export async function promote(standby: Server, transcript: Transcript): Promise<void> {
  await command(standby, NOT_WAITING)
  await standby.query('select pg_promote()')
  transcript.print(`$ psql -c '${NOT_WAITING}' -c 'select pg_reload_conf()'`)
  transcript.print("$ psql -c 'select pg_promote()'")
}

async function command(server: Server, text: string): Promise<void> {
  await server.query(text)
  await server.query('select pg_reload_conf()')
}
