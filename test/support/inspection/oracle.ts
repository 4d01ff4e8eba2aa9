/**
 * The invariants that hold after every fault and every load: those of the database (I1, I2,
 * I4, I6), of the answers that clients received (I3, I5) and of the log (I8).
 */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import { auditAll } from '#src/audit/audits.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'

/** No operation of an order and no message to the issuer is under way for longer than this. */
const PAUSE_MS = 20

/** Waits until the merchant service has finished all operations. The sweeper must be running. */
export async function untilQuiet(db: Db): Promise<void> {
  const end = performance.now() + PATIENCE_MS
  for (;;) {
    const { rows } = await sql<{ what: string }>`
      select type || ' ' || id || ' due ' || due as what
      from order_operations where status = 'PENDING'
      union all
      select mti || ' ' || id || ', sent ' || attempts || ' times, due ' || due
      from acquirer_messages where status = 'PENDING'`.execute(db)
    if (rows.length === 0) return
    assert.ok(
      performance.now() < end,
      `still under way: ${rows.map(({ what }) => what).join('; ')}`,
    )
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS))
  }
}

/** I1, I2, I4 and I6, as `bezant doctor` checks them, with the comparison of both sides. */
export async function assertSound(db: Db): Promise<void> {
  assert.deepEqual(await auditAll(db, true), [])
}

export type Acknowledgement = { tenant_id: string; key: string; status: number; text: string }

/** The answers under idempotency keys, which must be in the database (I3). */
export class Acknowledgements {
  readonly #answers = new Map<string, Acknowledgement>()

  /** A second answer under one key must be the first one, byte for byte. */
  note(answered: Acknowledgement): void {
    const name = `${answered.tenant_id} ${answered.key}`
    const before = this.#answers.get(name)
    if (before) assert.deepEqual(answered, before, 'one key has two answers')
    else this.#answers.set(name, answered)
  }

  get size(): number {
    return this.#answers.size
  }

  /** The answers that the database does not have as they were sent. */
  async audit(db: Db): Promise<object[]> {
    const rows = await db
      .selectFrom('idempotency_keys')
      .select(['tenant_id', 'key', 'status', 'body'])
      .execute()
    const kept = new Map(rows.map((row) => [`${row.tenant_id} ${row.key}`, row]))
    return [...this.#answers].flatMap(([name, { status, text }]) => {
      const row = kept.get(name)
      const isKept = row?.status === status && row.body === text
      return isKept ? [] : [{ invariant: 'I3', name, answered: { status, text }, kept: row }]
    })
  }
}

type Reply = { status: number; text: string; type: string }

/** The statuses of an outage; every other 5xx is a bug. */
const OUTAGE = new Set([503, 504])

/** Why an answer is a bug (I8); undefined if it is sound. */
export function faultOfAnswer({ status, text, type }: Reply): string | undefined {
  if (status >= 500 && !OUTAGE.has(status)) return `${status} ${text}`
  if (status < 400 || !type.startsWith('application/problem+json')) return undefined
  const problem: unknown = JSON.parse(text)
  const members = new Map(Object.entries(Object(problem)))
  const isWhole =
    members.get('status') === status &&
    ['type', 'title', 'detail', 'code', 'request_id'].every(
      (name) => typeof members.get(name) === 'string',
    )
  return isWhole ? undefined : `no problem document: ${text}`
}

const ERROR_LEVEL = 50

/** Lines that report a bug: nothing is logged as an error where only processes died (I8). */
export function faultsOfLog(lines: readonly string[]): string[] {
  return lines.filter((line) => {
    if (/unhandledRejection|uncaughtException|an unexpected error/.test(line)) return true
    const level = /"level":(\d+)/.exec(line)?.[1]
    return level !== undefined && Number(level) >= ERROR_LEVEL
  })
}
