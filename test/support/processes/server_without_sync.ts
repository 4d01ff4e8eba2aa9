/**
 * The tests' own server without the waits for a disk: a power cut would cost what it has
 * confirmed. Only suites that kill nothing have it. The program's start has no such way, and
 * refuses this server like any other that is not durable (D-987).
 */

import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { childOptions } from '#embedded_postgres/account.ts'
import { binariesFor } from '#embedded_postgres/binaries.ts'
import { type Embedded, startEmbedded } from '#embedded_postgres/embedded_postgres.ts'
import { makeSocketFolder, placeOf } from '#embedded_postgres/place.ts'
import { readPostmaster } from '#embedded_postgres/postmaster.ts'
import { settingArguments } from '#embedded_postgres/settings.ts'
import { until } from '../services/receiver.ts'

/** After those of the program, which they undo. */
const WITHOUT_SYNC = ['-c', 'fsync=off', '-c', 'full_page_writes=off']

/** Starts the server of a folder whose cluster is there and stopped, and adopts it. */
export async function startWithoutSync(
  data_dir: string,
  settings: Record<string, string>,
): Promise<Embedded> {
  const place = placeOf(data_dir)
  const usual = settingArguments(settings, makeSocketFolder(place))
  const log = openSync(`${place.cluster}.log`, 'a', 0o600)
  const child = spawn(
    binariesFor(place).postgres,
    ['-D', place.cluster, ...usual, ...WITHOUT_SYNC],
    { ...childOptions(place.account), detached: true, stdio: ['ignore', log, log] },
  )
  closeSync(log)
  child.unref()
  await until('the server is ready', () => readPostmaster(place.cluster)?.status === 'ready')
  return startEmbedded({ data_dir, settings })
}
