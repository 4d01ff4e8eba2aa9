/** Writes everything that is generated: the row types and the documents. Tests keep them fresh. */

import { writeFileSync } from 'node:fs'
import { withMigratedDatabase } from './migrated.ts'
import { tablesSource } from './tables.ts'

const files = { 'src/kit/tables.ts': await withMigratedDatabase(tablesSource) }
for (const [path, text] of Object.entries(files)) {
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
