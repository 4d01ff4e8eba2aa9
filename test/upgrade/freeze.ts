/**
 * Writes the digests of all migrations to frozen.json: node test/upgrade/freeze.ts
 * It is run for a release and at no other time. From then on `frozen.test.ts` fails where one of
 * these files is edited.
 */

import { writeFileSync } from 'node:fs'
import { FROZEN_PATH, presentMigrations } from './frozen.ts'

const digests = presentMigrations().map(({ name, sha256 }) => [name, sha256])
writeFileSync(FROZEN_PATH, `${JSON.stringify(Object.fromEntries(digests), null, 2)}\n`)
console.log(`${digests.length} migrations are frozen in ${FROZEN_PATH}`)
