/** Writes all generated files; test/contract/fresh.test.ts checks that they are current. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { generatedFiles } from './generated.ts'
import { withMigratedDatabase } from './migrated.ts'

for (const { path, text } of await withMigratedDatabase(generatedFiles)) {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
