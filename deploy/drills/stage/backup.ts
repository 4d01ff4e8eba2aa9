/** A base backup of a server, and a server that is restored from it to a moment. */

import { join } from 'node:path'
import type { Transcript } from '../transcript.ts'
import { makeFolderOfAccount, runAsAccount } from './account.ts'
import { megabytesIn } from './folder.ts'
import { configureAsGiven, REPLICATOR, runProgram, type Server, serverIn } from './postgres.ts'
import { until } from './until.ts'

const secondsSince = (since: number) => ((performance.now() - since) / 1000).toFixed(1)

/** Copies the server while it works, and verifies the copy. Returns its folder. */
export function takeBackup({ port }: Server, folder: string, transcript: Transcript): string {
  const backup = makeFolderOfAccount(join(folder, 'backup'))
  const since = performance.now()
  const from = ['-h', '127.0.0.1', '-p', String(port), '-U', REPLICATOR]
  runProgram('pg_basebackup', [...from, '-D', backup, '-c', 'fast'])
  transcript.print(`$ pg_basebackup -h 127.0.0.1 -U ${REPLICATOR} -D ${backup} -c fast`)
  transcript.print(`${megabytesIn(backup)}, copied in ${secondsSince(since)} s`)
  transcript.print(`$ pg_verifybackup ${backup}\n${runProgram('pg_verifybackup', [backup])}`)
  return backup
}

type Target = { folder: string; moment: string; transcript: Transcript }

/** Brings a copy of the backup to the moment by the archived log; it is read-only then. */
export async function restoreTo(
  backup: string,
  { folder, moment, transcript }: Target,
): Promise<Server> {
  const copy = join(folder, 'restored')
  runAsAccount('cp', ['-a', backup, copy])
  runAsAccount('touch', [join(copy, 'recovery.signal')])
  configureAsGiven(copy, 'restore.conf', { recovery_target_time: moment })
  transcript.print(`$ cp -a ${backup} ${copy} && touch ${copy}/recovery.signal`)
  transcript.print(`recovery_target_time = '${moment}'`)
  const server = await serverIn(copy)
  const since = performance.now()
  await server.start()
  await until('the log is replayed up to the moment', async () => {
    const [row] = await server.query<{ state: string }>(
      'select pg_get_wal_replay_pause_state() as state',
    )
    return row?.state === 'paused'
  })
  transcript.print(
    `the log of the archive is replayed up to the moment in ${secondsSince(since)} s`,
  )
  return server
}

/** Lets a server that has reached the moment take writes. */
export async function openForWriting(server: Server, transcript: Transcript): Promise<void> {
  await server.query('select pg_wal_replay_resume()')
  await until('the server takes writes', async () => {
    const [row] = await server.query<{ standby: boolean }>('select pg_is_in_recovery() as standby')
    return row?.standby === false
  })
  transcript.print("$ psql -c 'select pg_wal_replay_resume()'\nthe server takes writes")
}
