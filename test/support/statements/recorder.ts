/**
 * Loaded before anything else by each process of a run (--import): writes every distinct statement
 * that the program sends, once, with the place that sends it. Values are not written, since they
 * may be of cards.
 */

import { subscribe } from 'node:diagnostics_channel'
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { folderOf, type Recorded } from './folder.ts'

/** Awaited functions are frames too, and Kysely has about ten. */
const FRAMES = 40
/** A test may have sent a text before the program does, so its place is looked for again. */
const LOOKS = 3
const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
/** Files that pass statements on. */
const PASSING =
  /^(src\/kit\/db\/(connections\/(connection|execution|statement_spans)|db|write)\.ts|test\/support\/statements\/recorder\.ts)/

const folder = folderOf(process.env)
const looks = new Map<string, number>()
/** The places of statements that are made and started apart (kit/db/write.ts). */
const made = new Map<string, ReturnType<typeof placeOf>>()

if (folder !== undefined) {
  const file = join(folder, `${process.pid}.jsonl`)
  subscribe('bezant:write', (message) => {
    const text = String(message)
    made.set(text, made.get(text) ?? placeOf())
  })
  subscribe('bezant:statement', (message) => {
    const { text, values } = message as Sent
    const before = looks.get(text) ?? 0
    if (before >= LOOKS) return
    const place = made.has(text) ? made.get(text) : placeOf()
    looks.set(text, place ? LOOKS : before + 1)
    if (!place) return
    const line: Recorded = { text, kinds: values.map(kindOf), ...place }
    appendFileSync(file, `${JSON.stringify(line)}\n`)
  })
}

type Sent = { text: string; values: readonly unknown[] }

/** Undefined if a test has sent the statement itself. */
function placeOf(): Pick<Recorded, 'site' | 'by'> | undefined {
  const holder: { stack?: string } = {}
  const usual = Error.stackTraceLimit
  Error.stackTraceLimit = FRAMES
  Error.captureStackTrace(holder, placeOf)
  Error.stackTraceLimit = usual
  for (const line of holder.stack?.split('\n') ?? []) {
    const [, by = '', url = '', at = ''] =
      /^ +at (?:async )?(?:(.*) \()?(file:\/\/.*?):(\d+):\d+\)?$/.exec(line) ?? []
    if (url === '') continue
    const path = fileURLToPath(url).replace(ROOT, '')
    if (PASSING.test(path)) continue
    if (path.startsWith('test/') || path.endsWith('.test.ts')) return undefined
    if (path.startsWith('src/')) return { site: `${path}:${at}`, by }
  }
  return { site: 'src', by: '' }
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (Array.isArray(value)) return `${value.length === 0 ? 'null' : kindOf(value[0])}[]`
  if (value instanceof Date) return 'time'
  if (value instanceof Uint8Array) return 'bytes'
  if (typeof value !== 'string') return typeof value
  const [first = ''] = value
  return first === '[' ? 'bracketed' : first === '{' ? 'braced' : 'string'
}
