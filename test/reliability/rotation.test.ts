/** Rotation of keys, step by step: nothing is forgotten, and any end of a run is taken up. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import {
  KEYS_STALE_MS,
  type KeyWrapper,
  masterKeyWrapper,
  openKeyring,
  sealingPurposes,
  WrongMasterKey,
} from '#kit/keys/keyring.ts'
import { rewrapKeys } from '#kit/keys/rewrapping.ts'
import { RETIRED_FOR_MS, removeOldKeys, rotateKeys } from '#kit/keys/rotation.ts'
import { sealedColumns } from '#src/program/sealed.ts'
import { BASE_TABLES } from '#test/support/inspection/base_tables.ts'
import { fillSealed, keysInUse, nameOf, openAll } from '#test/support/inspection/sealed_rows.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import { openWorld, type World } from '#test/support/world.ts'

const master = masterKeyWrapper(randomBytes(32))
const clear = Buffer.from('4000056655665556')

let world: World
let port: { close: () => Promise<void> }
before(async () => {
  world = await openWorld({ wrapper: master })
  port = await listenForCards(world)
  await fillSealed(world)
})
after(async () => {
  await port.close()
  await world[Symbol.asyncDispose]()
})

const parts = (given: { wrapper?: KeyWrapper; pause?: () => Promise<void>; now?: Date } = {}) => ({
  db: world.db,
  log: world.log,
  columns: sealedColumns,
  wrapper: given.wrapper ?? master,
  clock: () => given.now ?? new Date(),
  pause: given.pause ?? (async () => {}),
})
const open = () => openKeyring(world.db, master, new Date())
const keys = (purpose: string = 'cards') =>
  world.db
    .selectFrom('data_keys')
    .selectAll()
    .where('purpose', '=', purpose)
    .orderBy('generation')
    .execute()
const inHour = () => new Date(Date.now() + RETIRED_FOR_MS + 1)

/** Everything is sealed under the newest key of its purpose, and under no other. */
async function assertMoved(): Promise<void> {
  for (const [name, used] of await keysInUse(world.db)) {
    const { purpose } = sealedColumns.find((column) => nameOf(column) === name) ?? {}
    const newest = (await keys(purpose)).at(-1)?.id.replaceAll('-', '')
    assert.deepEqual([...used], [newest], name)
  }
}

describe('the list of what is sealed', () => {
  /** Digests, hashes and what is wrapped: bytes that nothing opens, or the master key alone. */
  const notSealed = [
    'public.api_keys.key_hash', 'public.data_keys.wrapped', 'public.idempotency_keys.fingerprint',
    'public.identification_files.sha256', 'public.merchant_keys.private_key_hash',
    'public.network_messages.fingerprint', 'public.order_operations.fingerprint',
    'public.checkouts.challenge_form', 'public.checkouts.fingerprint',
    'public.settlement_files.digest', 'public.clearing_files.digest',
    'public.challenges.code_digest', 'public.acquirer_files.digest',
    'public.dispute_files.sha256', 'public.chargeback_files.sha256',
    'public.rate_buckets.key_hash', 'vault.pans.digest',
    'public.sandbox_applicants.token_hash', 'public.sandbox_media.digest',
    'public.widget_tokens.digest', 'public.audit_chain.hash', 'public.audit_chain.previous',
    'public.audit_records.digest', 'public.invitations.token_hash', 'public.passkeys.public_key',
    'public.portal_sessions.token_hash', 'public.portal_tokens.token_hash',
    'public.recovery_codes.code_hash', 'public.sign_in_failures.subject',
  ] // biome-ignore format: a list reads best so.

  test('has every column of bytes that is no digest', async () => {
    const { rows } = await sql<{ name: string }>`
      select t.schema || '.' || t.name || '.' || column_name as name
      from information_schema.columns
      join (${sql.raw(BASE_TABLES)}) t on table_schema = t.schema and table_name = t.name
      where data_type = 'bytea' order by name`.execute(world.db)
    const listed = sealedColumns.filter(({ base64 }) => !base64).map(nameOf)
    assert.deepEqual(
      rows.map(({ name }) => name).filter((name) => !notSealed.includes(name)),
      listed.toSorted(),
    )
  })

  test('has every column of text in which sealed bytes are found', async () => {
    const { rows: columns } = await sql<{ table: string; column: string }>`
      select c.table_schema || '.' || c.table_name as table, column_name as column
      from information_schema.columns c
      join (${sql.raw(BASE_TABLES)}) t on table_schema = t.schema and table_name = t.name
      where c.data_type in ('text', 'json', 'jsonb', 'ARRAY')`.execute(world.db)
    const all = await world.db.selectFrom('data_keys').select('id').execute()
    const found = new Set<string>()
    for (const { table, column } of columns) {
      const { rows } = await sql<{ text: string }>`
        select ${sql.ref(column)}::text as text from ${sql.table(table)}`.execute(world.db)
      for (const { id } of all) {
        const hex = id.replaceAll('-', '')
        const marks = [hex, Buffer.from(`01${hex}`, 'hex').toString('base64').slice(0, 20)]
        const sealed = rows.some(({ text }) => marks.some((mark) => text?.includes(mark)))
        if (sealed) found.add(`${table}.${column}`)
      }
    }
    assert.deepEqual([...found], sealedColumns.filter(({ base64 }) => base64).map(nameOf))
  })

  test('is filled here: every column has sealed rows', async () => {
    for (const [name, used] of await keysInUse(world.db)) assert.equal(used.size, 1, name)
  })
})

describe('a rotation', () => {
  test('moves everything to new keys, retires the old ones, and removes them later', async () => {
    const reported = (await openAll(world.db, await open())).toSorted()
    const [old] = await keys()
    await rotateKeys(parts())
    await assertMoved()
    assert.deepEqual((await openAll(world.db, await open())).toSorted(), reported)
    assert.ok((await keys()).find(({ id }) => id === old?.id)?.retired)

    await removeOldKeys(parts())
    assert.equal((await keys()).length, 2, 'not within the hour')
    await removeOldKeys(parts({ now: inHour() }))
    assert.equal((await keys()).length, 1)
    assert.deepEqual((await openAll(world.db, await open())).toSorted(), reported)
  })

  test('leaves the keys of digests, numbers and tokens as they are', async () => {
    const before = await Promise.all(['lookup', 'numbering', 'tokens'].map(keys))
    await rotateKeys(parts())
    assert.deepEqual(await Promise.all(['lookup', 'numbering', 'tokens'].map(keys)), before)
  })

  test('logs each step with the ids of keys, and never a key', async () => {
    const from = world.logged.length
    await rotateKeys(parts())
    const lines = world.logged.slice(from)
    const [previous, current] = (await keys()).slice(-2)
    assert.ok(previous && current)
    for (const [id, step] of [
      [current.id, /was made/],
      [current.id, /seals from now on/],
      [previous.id, /was retired/],
    ] as const) {
      const line = lines.find((one) => one.includes(id) && step.test(one))
      assert.ok(line, String(step))
    }
    for (const { wrapped } of [previous, current]) {
      const secret = await master.unwrap(wrapped, `cards:${previous.id}`).catch(() => wrapped)
      for (const form of ['hex', 'base64'] as const) {
        assert.ok(!lines.join().includes(secret.toString(form)))
      }
    }
  })

  test('that is ended at any step is taken up by the next, which begins no other', async () => {
    const generation = (await keys()).at(-1)?.generation ?? 0
    for (let steps = 0; ; steps++) {
      let left = steps
      // Every line of the log and every pause is a moment to be killed at.
      const step = () => {
        if (left-- === 0) throw new Error('killed')
      }
      const log = new Proxy(world.log, {
        get: (target, name) => (name === 'info' ? step : Reflect.get(target, name)),
      })
      const given = { ...parts({ pause: async () => step() }), log }
      const killed = await rotateKeys(given).then(
        () => false,
        (error: Error) => {
          assert.equal(error.message, 'killed')
          return true
        },
      )
      if (!killed) break
      await openAll(world.db, await open())
      const begun = (await keys()).filter(({ retired }) => retired === null).length === 2
      const before = (await keys()).length
      if (begun) {
        await rotateKeys(parts())
        assert.equal((await keys()).length, before)
        await assertMoved()
      }
    }
    assert.ok(((await keys()).at(-1)?.generation ?? 0) > generation + 5)
  })

  test('finds what was sealed late under a retired key, before that key is removed', async () => {
    const late = await open()
    await rotateKeys(parts())
    const [file] = await world.db.selectFrom('identification_files').selectAll().execute()
    assert.ok(file)
    const fileKey = (await open()).open('files', file.sealed_key, file.blob_key)
    await world.db
      .updateTable('identification_files')
      .set({ sealed_key: late.seal('files', fileKey, file.blob_key) })
      .where('id', '=', file.id)
      .execute()
    await removeOldKeys(parts({ now: inHour() }))
    assert.equal((await keys('files')).length, 1)
    await assertMoved()
    await openAll(world.db, await open())
  })

  test('with another master key does nothing at all', async () => {
    const before = await world.db.selectFrom('data_keys').selectAll().execute()
    const wrapper = masterKeyWrapper(randomBytes(32))
    await assert.rejects(rotateKeys(parts({ wrapper })), WrongMasterKey)
    assert.deepEqual(await world.db.selectFrom('data_keys').selectAll().execute(), before)
  })
})

describe('a process that runs meanwhile', () => {
  test('opens what is sealed under a key that it does not know yet, at the second try', async () => {
    const ring = await open()
    const stop = ring.watch(world.log)
    await rotateKeys(parts())
    const sealed = (await open()).seal('cards', clear, 'a')
    assert.throws(() => ring.open('cards', sealed, 'a'), DatabaseUnavailable)
    await ring.refresh()
    assert.ok(ring.open('cards', sealed, 'a').equals(clear))
    await stop()
  })

  test('fails for bytes that no key has sealed, and does not wait for one', async () => {
    const ring = await open()
    const stop = ring.watch(world.log)
    const sealed = ring.seal('cards', clear, 'a')
    sealed.writeUInt8(sealed.readUInt8(3) ^ 1, 3)
    assert.throws(() => ring.open('cards', sealed, 'a'), DatabaseUnavailable)
    await ring.refresh()
    assert.throws(() => ring.open('cards', sealed, 'a'), /a key that cards does not have/)
    await stop()
  })

  test('seals nothing while it cannot know whether its keys are the current ones', async () => {
    let passed = 0
    const ring = await openKeyring(world.db, master, new Date(), () => passed)
    const stop = ring.watch(world.log)
    ring.seal('cards', clear, 'a')
    passed += KEYS_STALE_MS + 1
    assert.throws(() => ring.seal('cards', clear, 'a'), DatabaseUnavailable)
    await ring.refresh()
    ring.seal('cards', clear, 'a')
    await stop()
  })

  test('makes no key anew once the first ones are removed', async () => {
    await rotateKeys(parts())
    await removeOldKeys(parts({ now: inHour() }))
    await open()
    for (const purpose of sealingPurposes) assert.equal((await keys(purpose)).length, 1)
  })
})

describe('another master key', () => {
  test('opens everything afterwards, the one before opens nothing, a running process is not disturbed', async () => {
    const ring = await open()
    const next = masterKeyWrapper(randomBytes(32))
    await rewrapKeys({ db: world.db, log: world.log, from: master, to: next })
    await assert.rejects(open(), WrongMasterKey)
    await openAll(world.db, await openKeyring(world.db, next, new Date()))
    await ring.refresh()
    await openAll(world.db, ring)

    const failing = { ...master, wrap: () => Promise.reject(new Error('down')) }
    const { db, log } = world
    await assert.rejects(rewrapKeys({ db, log, from: next, to: failing }), /down/)
    await openAll(world.db, await openKeyring(world.db, next, new Date()))
    await rewrapKeys({ db, log, from: next, to: master })
    await openAll(world.db, await open())
  })
})
