/** The generated source of packages/client, made from the OpenAPI documents (D-800). */

import { execFileSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { DocumentedApi } from '#kit/http/openapi/openapi.ts'
import type { OpenApi } from '#lib/openapi.ts'
import { clientPage } from '../pages/client_page.ts'
import { type ClientModel, modelOf } from './document.ts'
import { errorsSource, sentencesSource } from './errors.ts'
import { comment, type Source, sourcesOf } from './groups.ts'
import { typesOf } from './schemas.ts'
import { switchesSource } from './switches.ts'

export const GENERATED_CLIENT = 'packages/client/src/generated'
const NAMES = ['issuing', 'merchant', 'portal']
/** The names of the clients in the README of the library. */
const CLIENTS = ['bezant', 'shop', 'portal']
/** A code that this share of the operations answers is not one of their own. */
const USUAL_SHARE = 1 / 4

/** `documents` are those of `apis`, in their order: openapiOf returns OpenAPI documents. */
export async function clientFiles(
  apis: readonly DocumentedApi[],
  documents: readonly object[],
): Promise<Source[]> {
  const models = documents.map((document) => modelOf(document as OpenApi))
  const sources: Source[] = [{ path: 'errors.ts', text: errorsSource(apis) }]
  for (const [at, model] of models.entries()) {
    const name = NAMES[at] ?? ''
    const isUsual = usualCodes(model)
    const types = {
      path: 'types.ts',
      text: `${await typesOf(model.schemas)}\n${eventsSource(model)}`,
    }
    const files = [...sourcesOf(model, isUsual), types]
    sources.push(...files.map(({ path, text }) => ({ path: `${name}/${path}`, text })))
  }
  sources.push({ path: 'issuing/switches.ts', text: switchesSource() })
  const merchant = apis[NAMES.indexOf('merchant')]
  if (merchant) sources.push({ path: 'merchant/sentences.ts', text: sentencesSource(merchant) })
  const documented = models.map((model, at) => ({
    title: apis[at]?.document.title ?? '',
    client: CLIENTS[at] ?? '',
    model,
  }))
  return [...formattedAll(sources), { path: 'docs/client.md', text: clientPage(documented) }]
}

function usualCodes({ groups }: ClientModel): (code: string) => boolean {
  const all = groups.flatMap(({ operations }) => operations)
  const counts = new Map<string, number>()
  for (const code of all.flatMap(({ codes }) => codes))
    counts.set(code, (counts.get(code) ?? 0) + 1)
  return (code) => (counts.get(code) ?? 0) >= all.length * USUAL_SHARE
}

function eventsSource({ events }: ClientModel): string {
  if (events.length === 0) return ''
  return `${comment(['Every event that a subscription may receive; `event` says which.'])}
export type WebhookEvent = ${[...new Set(events)].join(' | ')}
`
}

/** Sources as the formatter would leave them, by one process for all. */
function formattedAll(sources: readonly Source[]): Source[] {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-client-'))
  try {
    for (const { path, text } of sources) {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), text)
    }
    const { formatter, javascript } = JSON.parse(readFileSync('biome.json', 'utf8'))
    writeFileSync(join(folder, 'biome.json'), JSON.stringify({ formatter, javascript }))
    const biome = join(process.cwd(), 'node_modules/@biomejs/biome/bin/biome')
    const args = [biome, 'check', '--write', '--linter-enabled=false', folder]
    execFileSync(process.execPath, args, { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    return globSync('**/*.ts', { cwd: folder })
      .sort()
      .map((path) => ({
        path: `${GENERATED_CLIENT}/${path}`,
        text: readFileSync(join(folder, path), 'utf8'),
      }))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
