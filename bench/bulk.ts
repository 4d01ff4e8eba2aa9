/** Bulk issuance through the API compared with COPY of the same rows, in turn in one run. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as pause } from 'node:timers/promises'
import { fundProgram } from '#issuing/ledger/ledger.ts'
import { createTenant } from '#issuing/tenants/tenants.ts'
import { transact } from '#kit/context.ts'
import { createLog } from '#kit/log.ts'
import { readConfig } from '#src/config/config.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { assemble } from '#src/program/program.ts'
import { openCopier } from './support/copy.ts'
import { openPlatform } from './support/platform.ts'

const CARDS = Number(process.env['BENCH_CARDS'] ?? 5_000)
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 5)
const CONNECTIONS = 16
const POLL_MS = 20
const FUNDED = 100_000_000_000n

const print = (line: string) => console.log(line)

const platform = await openPlatform(CONNECTIONS)
const data_dir = mkdtempSync(join(tmpdir(), 'bezant-bench-data-'))
const { db } = platform.ctx()
const { db: batches, keys } = platform.services
const config = readConfig({ PORT: '0', NETWORK_PORT: '0', DATA_DIR: data_dir })
const program = assemble({ mode: sandbox, config, db, batches, keys, log: createLog('silent') })
const { port } = await program.listen()
const settings = { rate_limit_per_second: 1e6, rate_limit_burst: 1e6 }
const { tenant, api_key } = await createTenant(platform.ctx(), { name: 'bench', settings })
await transact(platform.ctx(tenant.id), (tx) =>
  fundProgram(tx, { currency: 'AED', amount: FUNDED }),
)
const product = await ask('POST', '/cardproducts', { name: 'b', currency: 'AED', bin: '400001' })
const copier = await openCopier(platform.url)

print(`${CARDS} cards with preload, ${ROUNDS} rounds after a warm-up round …`)
const cold = await round()
const delay = monitorEventLoopDelay({ resolution: 1 })
const rounds: Round[] = []
for (let at = 0; at < ROUNDS; at++) rounds.push(await round(delay))
await copier.close()
await program.close()
await platform.close()
rmSync(data_dir, { recursive: true, force: true })

const ms = (milliseconds: number) => `${Math.round(milliseconds).toLocaleString('en')} ms`
for (const { issued, copied, bytes } of [cold, ...rounds]) {
  print(
    `issued in ${ms(issued).padStart(8)}, copied in ${ms(copied).padStart(8)} ` +
      `(${(bytes / 1e6).toFixed(1)} MB): ${(issued / copied).toFixed(1)} ×`,
  )
}
const issued = median(rounds.map((one) => one.issued))
const copied = median(rounds.map((one) => one.copied))
print(`
                                 median       target
(a) through the API            ${ms(issued).padStart(8)}    ≤ 3,000 ms
(b) COPY of the same rows      ${ms(copied).padStart(8)}
(a) against (b)                ${(issued / copied).toFixed(1).padStart(6)} ×    ≤ 6 ×
event loop delayed, p99        ${ms(delay.percentile(99) / 1e6).padStart(8)}       ≤ 50 ms`)

type Round = { issued: number; copied: number; bytes: number }

/** Issues by the API, then copies what was written. */
async function round(delay?: ReturnType<typeof monitorEventLoopDelay>): Promise<Round> {
  delay?.enable()
  const begun = performance.now()
  const request = { card_product_id: product.id, number_of_cards: CARDS, amount: 25 }
  const { id } = await ask('POST', '/bulkissuances', request)
  await untilCompleted(String(id))
  const issued = performance.now() - begun
  delay?.disable()

  const rows = await copier.rowsOf(String(id))
  const copied = await copier.copy(rows)
  return { issued, copied, bytes: rows.reduce((sum, { bytes }) => sum + bytes.length, 0) }
}

async function untilCompleted(id: string): Promise<void> {
  for (;;) {
    const { status, error } = await ask('GET', `/bulkissuances/${id}`)
    if (status === 'COMPLETED') return
    if (status === 'FAILED') throw new Error(JSON.stringify(error))
    await pause(POLL_MS)
  }
}

async function ask(method: string, path: string, body?: object): Promise<Record<string, unknown>> {
  const reply = await fetch(`http://127.0.0.1:${port}/v1${path}`, {
    method,
    headers: { apikey: api_key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  if (!reply.ok) throw new Error(`${method} ${path}: ${await reply.text()}`)
  // The API answers an object; its members are only compared and printed.
  return (await reply.json()) as Record<string, unknown>
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? 0
}
