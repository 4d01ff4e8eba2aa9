/** The environment of the processes of a run of tests. */

import { randomInt } from 'node:crypto'
import { resolve } from 'node:path'
import { CACHE, recordingIn } from '../statements/folder.ts'

const USUAL_SEED = 8583

type Run = { deep?: boolean; module?: boolean }

/** Chance is the same in every run but a deep one. Statements are recorded in the folder. */
export function testEnvironment(
  statements: string,
  { deep = false, module = false }: Run = {},
): NodeJS.ProcessEnv {
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    SEED: process.env['SEED'] ?? String(deep ? randomInt(2 ** 31) : USUAL_SEED),
    ...(deep && { TEST_DEEP: '1' }),
    ...(module && { TEST_CUSTODY: 'module' }),
    ...recordingIn(statements),
  }
  // Each test file is a process or a part of one, and most of them load the whole program.
  env['NODE_COMPILE_CACHE'] = resolve(CACHE)
  // The tests choose their own databases and settings.
  for (const name of ['DATABASE_URL', 'MODE', 'PORT', 'NETWORK_PORT', 'MASTER_KEY'])
    delete env[name]
  return env
}
