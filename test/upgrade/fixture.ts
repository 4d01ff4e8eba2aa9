/**
 * The database of a release, filled and with work that is not done. Each later version starts on
 * it. `node test/upgrade/make_fixture.ts` writes it anew, for a release and at no other time.
 */

import { copyFileSync, mkdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { MIGRATIONS } from '#kit/db/migration_files.ts'
import { migrate } from '#kit/db/migrations.ts'
import { scratchFolder } from '#test/support/processes/scratch.ts'
import { onServer } from '#test/support/processes/server.ts'
import { restoreDump } from './dump.ts'
import { readFrozen } from './frozen.ts'

/** The release whose program made it. */
export const RELEASE = '1.0.0'
const FOLDER = 'test/upgrade/fixture'
export const DUMP_PATH = join(FOLDER, `${RELEASE}.sql.gz`)
const KEY_PATH = join(FOLDER, 'master_key_of_this_fixture.txt')

/** It protects made-up data alone. */
export const fixtureMasterKey = (): string => readFileSync(KEY_PATH, 'utf8').trim()

export const readDump = (): string => gunzipSync(readFileSync(DUMP_PATH)).toString('utf8')

/** Makes an empty database that of the release. */
export async function loadFixture(url: string): Promise<void> {
  const folder = scratchFolder('bezant-upgrade-')
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of Object.keys(readFrozen())) {
      copyFileSync(join(MIGRATIONS, name), join(folder, name))
    }
    await onServer(url, async (client) => {
      await migrate(client, folder)
      await restoreDump(client, readDump())
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
