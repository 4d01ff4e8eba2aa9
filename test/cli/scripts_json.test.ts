/** The programs of a checkout with --json: one document, or one object a line of `start`. */

import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { createTestDatabase, onServer } from '#test/support/processes/server.ts'
import { openCommand } from './running.ts'

const MASTER_KEY = randomBytes(32).toString('hex')
const NOWHERE = { DATABASE_URL: 'postgres://nobody@127.0.0.1:1/none' }
const PAGE = readFileSync('docs/cli.md', 'utf8')
const keep = keeper()
const command = keep(openCommand())
const { run } = command
const database = await createTestDatabase()
keep({ [Symbol.asyncDispose]: database.drop })
const env = { DATABASE_URL: database.url, MASTER_KEY }

/** The JSON that the command prints when it ends with this code. */
async function json(code: number, words: readonly string[], own: Record<string, string> = env) {
  const ran = await run([...words, '--json'], { env: own })
  assert.equal(ran.code, code, `${words.join(' ')}: ${ran.err}`)
  const document = JSON.parse(ran.out)
  assertDescribed(document)
  return { document, err: ran.err }
}

/** Whether docs/cli.md has each member; docs/audit.md is about an anchor. */
function assertDescribed(document: object): void {
  if ('format' in document && document.format === 'audit anchor 1') return
  const missing = Object.keys(document).filter((name) => !PAGE.includes(`\`${name}\``))
  assert.deepEqual(missing, [], 'docs/cli.md has these members')
}

/** Whether it fails with 1, a document of the fault and the same as a sentence. */
async function assertFails(words: readonly string[], format: string, own: object, fault: RegExp) {
  const { document, err } = await json(1, words, { ...own })
  const { errors, ...rest } = document
  assert.deepEqual(rest, { format, ok: false })
  assert.match(errors.join('\n'), fault)
  for (const line of errors) assert.ok(err.includes(line), err)
}

const query = (statement: string) => onServer(database.url, (client) => client.query(statement))

describe('doctor --json', () => {
  test('has each check with what it found and what to do, and its code', async () => {
    const whole = (await json(0, ['doctor'])).document
    assert.deepEqual([whole.format, whole.ok], ['doctor 1', true])
    assert.ok(whole.checks.length > 15)
    for (const { name, ok, holds, remedy, found } of whole.checks) {
      assert.deepEqual([ok, found], [true, []], name)
      assert.ok(holds.length > 0 && remedy !== '', name)
    }
    assert.equal(whole.checks.at(-1).under_way, 0)

    const tenant_id = randomUUID()
    await query(`insert into tenant_anchors values ('${tenant_id}')`)
    const { document: broken } = await json(1, ['doctor'])
    await query(`delete from tenant_anchors where tenant_id = '${tenant_id}'`)
    assert.equal(broken.ok, false)
    const [tenants, ...others] = broken.checks
    assert.deepEqual([tenants.name, tenants.ok], ['tenants', false])
    assert.partialDeepStrictEqual(tenants.found, [{ invariant: 'I6', tenant_id }])
    assert.deepEqual(Object.keys(tenants.found[0]).sort(), [
      ...['detail', 'invariant', 'subject', 'tenant_id'],
    ])
    assert.ok(others.every(({ ok }: { ok: boolean }) => ok))
  })

  test('has the fault where there is no database', async () => {
    await assertFails(['doctor'], 'doctor 1', NOWHERE, /the database cannot be used/)
    await assertFails(['doctor'], 'doctor 1', {}, /there is no database in /)
  })
})

describe('audit --json', () => {
  test('has the file that was written, and what was verified by it', async () => {
    const file = join(command.folder, 'anchor.json')
    const { document: written } = await json(0, ['audit', 'export', file])
    const { exported, ...rest } = written
    assert.deepEqual(rest, { format: 'audit 1', ok: true, file, chains: 0 })
    const { document: verified } = await json(0, ['audit', 'verify', '--anchor', file])
    assert.deepEqual(verified, {
      format: 'audit 1',
      ok: true,
      chained: 0,
      waiting: 0,
      faults: [],
      anchor: exported,
    })
    await assertFails(['audit', 'export', file], 'audit 1', env, /EEXIST/)
    const anchor = (await json(0, ['audit', 'export'])).document
    assert.deepEqual([anchor.format, anchor.chains], ['audit anchor 1', []])
  })

  test('has the fault of a record, and ends with 1', async () => {
    const { document: written } = await json(0, ['audit', 'export'])
    const tenant_id = randomUUID()
    const chains = [{ tenant_id, sequence: 1, hash: '0'.repeat(64), recorded: written.exported }]
    const file = join(command.folder, 'other.json')
    writeFileSync(file, JSON.stringify({ ...written, chains }))
    const { document } = await json(1, ['audit', 'verify', '--anchor', file])
    assert.equal(document.ok, false)
    assert.equal(document.faults.length, 1)
    assert.deepEqual(Object.keys(document.faults[0]).sort(), ['detail', 'subject', 'tenant_id'])
    assert.equal(document.faults[0].tenant_id, tenant_id)
    await assertFails(['audit', 'verify'], 'audit 1', NOWHERE, /the database cannot be used/)
  })
})

describe('start --json and demo --json', () => {
  const DATA_DIR = join(command.folder, 'data')
  const own = { ...env, DATA_DIR, PORT: '0', NETWORK_PORT: '0' }

  test('print one object a line, and what was made as one document', async () => {
    await using started = await startWith(own)
    const { begun } = started
    assertDescribed(begun)
    assert.partialDeepStrictEqual(begun, {
      format: 'start 1',
      ok: true,
      mode: 'sandbox',
      roles: ['api', 'network', 'worker'],
      database: 'DATABASE_URL',
      data_dir: DATA_DIR,
      sandbox_keys: 'made',
    })
    assert.equal((await fetch(begun.ready_url)).status, 200)
    assert.equal((await fetch(begun.docs_url)).status, 200)
    assert.ok(begun.network.port > 0)
    process.kill(begun.pid, 0)

    const { document: made, err: steps } = await json(0, ['demo'], { DATA_DIR })
    assertMade(made)
    assert.match(steps, /All amounts agree/)

    const { code, errors, lines } = await started.stop('SIGHUP')
    assert.deepEqual([code, errors], [0, ''])
    // Lines that are no documents are of the log.
    assert.deepEqual(
      lines.filter((line) => line.format === undefined && !line.time),
      [],
    )
    assert.equal(lines.at(-1)?.msg, 'stopped')
    const printed = JSON.stringify([lines, made])
    for (const secret of secretsIn(begun.sandbox_file)) assert.ok(!printed.includes(secret))

    await assertFails(['demo'], 'demo 1', { DATA_DIR }, /does not answer: start the server/)
  })

  test('have the fault and end with 1 where they cannot begin', async () => {
    await assertFails(['start'], 'start 1', { ...own, PORT: 'none' }, /^PORT /m)
    const none = { DATA_DIR: join(command.folder, 'none') }
    await assertFails(['demo'], 'demo 1', none, /sandbox\.json does not exist/)
  })
})

// biome-ignore lint/suspicious/noExplicitAny: a test looks into the document member by member.
function assertMade(made: any): void {
  assert.partialDeepStrictEqual(made, {
    format: 'demo 1',
    ok: true,
    currency: 'AED',
    balance: 399.75,
    held_amount: 0,
    order: { status: 'COMPLETED', total: '120.5000', total_refund: '20.2500' },
  })
  for (const name of ['tenant_id', 'user_id', 'card_product_id', 'card_id', 'account_id']) {
    assert.match(made[name], /^[0-9a-f-]{36}$/, name)
  }
  const decisions = made.transactions.map((one: { status: string; status_code: string }) => [
    ...[one.status, one.status_code],
  ])
  assert.deepEqual(decisions, [
    ['SETTLED', '0000'],
    ['SETTLED', '0000'],
    ['DECLINED', '1016'],
  ])
  for (const one of made.events) assert.deepEqual(Object.keys(one), ['event', 'id'])
  assert.ok(made.events.some(({ event }: { event: string }) => event === 'ORDER_REFUNDED'))
}

function secretsIn(path: string): string[] {
  const { operator_key, tenant, merchant } = JSON.parse(readFileSync(path, 'utf8'))
  return [operator_key, tenant.api_key, merchant.private_key]
}

/** The server, once it has said that it is ready; it is ended with the test. */
async function startWith(own: Record<string, string>) {
  const child = command.start(['start', '--json'], own)
  const [errors, closed] = [text(child.stderr), once(child, 'close')]
  const printed: string[] = []
  const ready = Promise.withResolvers<string>()
  createInterface(child.stdout)
    .on('line', (line) => {
      printed.push(line)
      if (line.includes('"format"')) ready.resolve(line)
    })
    .on('close', () => ready.reject(new Error(`it ended before: ${printed.join('\n')}`)))
  const stop = async (signal: NodeJS.Signals = 'SIGTERM') => {
    child.kill(signal)
    await closed
    const lines = printed.map((line) => JSON.parse(line))
    return { code: child.exitCode, errors: await errors, lines }
  }
  return {
    begun: JSON.parse(await ready.promise),
    stop,
    [Symbol.asyncDispose]: async () => void (await stop()),
  }
}

describe('keys --json', () => {
  test('has the keys that were made, retired and wrapped anew, and none of them itself', async () => {
    const { document: rotated, err } = await json(0, ['keys', 'rotate'])
    const { keys, ...rest } = rotated
    assert.partialDeepStrictEqual(rest, { format: 'keys 1', ok: true, command: 'rotate' })
    assert.deepEqual([rest.made.length, rest.removed, rest.rewrapped], [5, [], []])
    assert.equal(rest.retired.length, 5)
    assert.match(err, /the data key seals from now on/)
    for (const key of keys) {
      assert.deepEqual(Object.keys(key).sort(), [
        ...['activated', 'generation', 'id', 'purpose', 'removable', 'retired'],
      ])
      assert.equal(key.retired === null, !rest.retired.includes(key.id))
      assert.equal(key.removable === null, key.retired === null)
    }

    await query(`update data_keys set retired = retired - interval '2 hours'`)
    const { document: removed } = await json(0, ['keys', 'rotate', '--remove-old'])
    assert.equal(removed.command, 'rotate --remove-old')
    assert.deepEqual(removed.removed.sort(), rest.retired.sort())
    assert.equal(removed.keys.length, keys.length - 5)

    const MASTER_KEY_NEW = randomBytes(32).toString('hex')
    const { document: moved } = await json(0, ['keys', 'rewrap'], { ...env, MASTER_KEY_NEW })
    const ids = moved.keys.map(({ id }: { id: string }) => id)
    assert.deepEqual(moved.rewrapped.sort(), ids.sort())
    assert.ok(!JSON.stringify([rotated, removed, moved]).includes(MASTER_KEY_NEW))
  })

  test('has the fault where they cannot be changed', async () => {
    await assertFails(['keys', 'rewrap'], 'keys 1', env, /MASTER_KEY_NEW or KMS_URL_NEW must be/)
    await assertFails(['keys', 'rotate'], 'keys 1', { ...env, ...NOWHERE }, /cannot be used/)
  })
})
