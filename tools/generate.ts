/**
 * Writes all generated files; test/contract/fresh.test.ts and examples.test.ts check that they are
 * current. The examples come first: the OpenAPI documents contain them.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { EXAMPLES_PATH, walkExamples } from '#test/support/examples/examples.ts'
import { databaseUrl, onServer, passServerToTests } from '#test/support/processes/server.ts'
import { GENERATED_CLIENT } from './client/client_files.ts'
import { type Generated, generatedFiles } from './generated.ts'
import { withMigratedDatabase } from './migrated.ts'

await withMigratedDatabase(async (server, name) => {
  passServerToTests(server, name)
  write({ path: EXAMPLES_PATH, text: (await walkExamples()).text })
  const files = await onServer(databaseUrl(server, name), generatedFiles)
  // An operation or a tag that is gone leaves no file behind.
  rmSync(GENERATED_CLIENT, { recursive: true, force: true })
  for (const file of files) write(file)
})

function write({ path, text }: Generated): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
  console.log(`wrote ${path}`)
}
