/** All generated files of the tree, path and text, from one migrated database. */

import { execFileSync } from 'node:child_process'
import type pg from 'pg'
import { openapiOf } from '#kit/http/openapi/openapi.ts'
import { readConfig } from '#src/config/config.ts'
import { contractsOf } from '#src/program/documents.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { SCHEMA_PATH, schemaOf } from '../apps/cli/programme/schema.ts'
import { scenarioSchema } from '../apps/cli/scenarios/file/schema.ts'
import { clientFiles } from './client/client_files.ts'
import { doctorPage } from './pages/doctor_page.ts'
import { eventsPage } from './pages/events_page.ts'
import { codesPage, errorsPage, routesPage, statusesPage } from './pages/pages.ts'
import { reconciliationPage } from './pages/reconciliation_page.ts'
import { rolesPage } from './pages/roles_page.ts'
import { scenarioStepsPage } from './pages/scenarios_page.ts'
import { settingsPage } from './pages/settings_page.ts'
import { schemaDump } from './schema_dump.ts'
import { tablesSource } from './tables.ts'

export type Generated = { path: string; text: string }

export async function generatedFiles(client: pg.ClientBase): Promise<Generated[]> {
  // The documents show the defaults: sandbox, and the operator's name by default.
  const config = readConfig({})
  const apis = contractsOf(config, sandbox)
  const documents = apis.map(openapiOf)
  const [issuing, merchant, portal] = documents.map(json)
  // The document of the issuing API as JSON, of which the schema reads a part.
  const programme = json(schemaOf(JSON.parse(issuing ?? '{}')))
  const texts: [path: string, text: string | undefined][] = [
    ['src/kit/db/tables.ts', formatted('src/kit/db/tables.ts', await tablesSource(client))],
    ['migrations/schema.sql', await schemaDump(client)],
    ['docs/openapi/issuing.json', issuing],
    ['docs/openapi/merchant.json', merchant],
    ['docs/openapi/portal.json', portal],
    [SCHEMA_PATH, programme],
    ['docs/roles.md', rolesPage(apis)],
    ['docs/routes.md', routesPage(apis)],
    ['docs/errors.md', errorsPage(apis)],
    ['docs/events.md', eventsPage(apis)],
    ['docs/codes.md', codesPage()],
    ['docs/doctor.md', doctorPage()],
    ['docs/reconciliation.md', reconciliationPage()],
    ['docs/statuses.md', statusesPage()],
    ['docs/settings.md', settingsPage()],
    ['docs/scenario.schema.json', json(scenarioSchema)],
    ['docs/scenario_steps.md', scenarioStepsPage()],
  ]
  return [
    ...texts.map(([path, text = '']) => ({ path, text })),
    ...(await clientFiles(apis, documents)),
  ]
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`

/**
 * The text as the formatter would leave it, so that the committed file equals the generated one.
 */
function formatted(path: string, text: string): string {
  const args = ['node_modules/@biomejs/biome/bin/biome', 'format', `--stdin-file-path=${path}`]
  return execFileSync(process.execPath, args, { input: text, encoding: 'utf8' })
}
