/**
 * Card numbers in answers and events: only the reveal operations and the widget return an issued
 * number, and every masked number has the same form.
 */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import type { Keyring } from '#kit/keys/keyring.ts'
import { sealedColumns } from '#src/program/sealed.ts'
import { cardNumbersIn } from './canary.ts'

export type Masking = {
  /** Reads the text of an answer. */
  see: (what: string, text: string) => void
  /** Fails if a number that was seen, or that an event contains, was issued. */
  check: (db: Db, keys: Keyring) => Promise<void>
}

const MEANT =
  /^(GET \/v1\/(cards|tokens)\/[^/]+:reveal(\?|$)|GET \/v1\/operator\/clearingexports\/[^/]+:download\?|POST \/widgets\/api\/details$)/
/** Digits beside what hides others. */
const TRUNCATED = /[\d*•xX#]*(?:\d[*•#]{2,}|[*•#]{2,}\d|\d[xX]{4,}\d)[\d*•xX#]*/g
/** A client's own values may be echoed, so a few digits and symbols are no masked number. */
const isPart = (shown: string) => /(?:\d.*){4}/.test(shown) && /(?:\D.*){3}/.test(shown)
/** First six and last four: the number has 13 to 19 digits. */
const FORM = /^\d{6}\*{3,9}\d{4}$/

export function createMasking(): Masking {
  const seen = new Map<string, string>()

  function see(what: string, text: string): void {
    if (MEANT.test(what)) return
    for (const [shown] of text.matchAll(TRUNCATED)) {
      if (!isPart(shown)) continue
      assert.match(shown, FORM, `${what} masks a number in another form`)
    }
    for (const number of cardNumbersIn(text)) seen.set(number, what)
  }

  async function check(db: Db, keys: Keyring): Promise<void> {
    const { rows } = await sql<{ event: string; text: string }>`
      select event, payload::text as text from events where payload is not null`.execute(db)
    for (const { event, text } of rows) see(`event ${event}`, text)
    if (seen.size === 0) return
    for (const number of await issuedNumbers(db, keys)) {
      assert.equal(seen.get(number), undefined, 'an issued number is returned')
    }
  }
  return { see, check }
}

async function issuedNumbers(db: Db, keys: Keyring): Promise<string[]> {
  const column = sealedColumns.find(({ table }) => table === 'vault.pans')
  assert.ok(column)
  const { rows } = await sql<{ tenant_id: string; card_id: string; sealed: Buffer }>`
    select tenant_id, card_id, sealed from ${sql.table(column.table)}`.execute(db)
  return rows.flatMap(({ sealed, ...row }) => {
    try {
      return [keys.open(column.purpose, sealed, column.bind(row)).toString()]
    } catch {
      // A test has spoiled it on purpose.
      return []
    }
  })
}
