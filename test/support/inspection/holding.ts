/** Searches every table and every log line for a secret that must not be stored. */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { World } from '../world.ts'

/** How a number may be written: as it is, and its bytes as PostgreSQL or JSON would show them. */
export const formsOf = (number: string): string[] =>
  (['utf8', 'hex', 'base64'] as const).map((form) => Buffer.from(number).toString(form))

/** Every table as text, bytes as hex: which of them hold one of the texts. */
export async function tablesHolding({ db }: World, texts: readonly string[]): Promise<string[]> {
  const tables = await db.introspection.getTables()
  const names = tables.map(({ schema = 'public', name }) => `${schema}.${name}`)
  assert.ok(names.includes('vault.pans') && names.includes('public.events'))
  const holding: string[] = []
  for (const name of names) {
    const { rows } = await sql<{ text: string | null }>`
      select string_agg(t::text, ' ') as text from ${sql.table(name)} t`.execute(db)
    if (texts.some((text) => rows[0]?.text?.includes(text))) holding.push(name)
  }
  return holding
}
