import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { transact } from '#kit/context.ts'
import { keeper } from '#test/support/keeper.ts'
import { codeOf, insertPerson } from '#test/support/portal/members.ts'
import { openWorld } from '#test/support/world.ts'
import {
  confirmTotp,
  getSecondFactors,
  removeTotp,
  startTotp,
  verifySecondFactor,
} from './second_factors.ts'

const keep = keeper()
const world = keep(await openWorld())
const ctx = await world.ctx()

const verify = (person_id: string, code: string) =>
  transact(ctx, (tx) => verifySecondFactor(tx, person_id, code))

/** A person whose code of the present step is used. */
async function withTotp() {
  const { id } = await insertPerson(world)
  const { secret } = await startTotp(ctx, id, 'Bank')
  const { recovery_codes } = await confirmTotp(ctx, id, await codeOf(world, secret))
  return { id, secret, recovery_codes }
}

const count = (results: readonly boolean[]) => results.filter(Boolean).length

describe('codes by time', () => {
  test('are no second factor before the first one confirms them', async () => {
    const { id } = await insertPerson(world)
    const { secret, uri } = await startTotp(ctx, id, 'Bank')
    assert.ok(uri.includes(secret))
    assert.equal((await getSecondFactors(ctx, id)).totp, false)
    assert.equal(await verify(id, await codeOf(world, secret)), false)
    await confirmTotp(ctx, id, await codeOf(world, secret))
    assert.equal((await getSecondFactors(ctx, id)).totp, true)
  })

  test('are each valid once, that of the confirmation too', async () => {
    const { id } = await insertPerson(world)
    const { secret } = await startTotp(ctx, id, 'Bank')
    const first = await codeOf(world, secret)
    await confirmTotp(ctx, id, first)
    assert.equal(await verify(id, first), false)
    const next = await codeOf(world, secret, 1)
    assert.equal(await verify(id, next), true)
    assert.equal(await verify(id, next), false)
    assert.equal(await verify(id, first), false, 'nor is one of an earlier step')
  })

  test('are accepted once by processes that verify at one time', async () => {
    const { id, secret } = await withTotp()
    const code = await codeOf(world, secret, 1)
    const results = await Promise.all(Array.from({ length: 8 }, () => verify(id, code)))
    assert.equal(count(results), 1)
  })

  test('of another person, or of no form, are not accepted', async () => {
    const [ann, bob] = [await withTotp(), await withTotp()]
    assert.equal(await verify(ann.id, await codeOf(world, bob.secret, 1)), false)
    for (const code of ['', '000 000', 'x'.repeat(200)]) {
      assert.equal(await verify(ann.id, code), false)
    }
    const nobody = '0190aaaa-0000-7000-8000-000000000000'
    assert.equal(await verify(nobody, await codeOf(world, ann.secret, 1)), false)
  })

  test('are not used up by a transaction that rolls back', async () => {
    const { id, secret } = await withTotp()
    const code = await codeOf(world, secret, 1)
    const failing = transact(ctx, async (tx) => {
      assert.equal(await verifySecondFactor(tx, id, code), true)
      throw new Error('no')
    })
    await assert.rejects(failing, /no/)
    assert.equal(await verify(id, code), true)
  })

  test('have a secret that is sealed, and bound to its person', async () => {
    const [ann, bob] = [await withTotp(), await withTotp()]
    const rows = await world.db
      .selectFrom('people')
      .select('totp_secret')
      .where('id', '=', ann.id)
      .execute()
    await world.db
      .updateTable('people')
      .set({ totp_secret: rows[0]?.totp_secret ?? null })
      .where('id', '=', bob.id)
      .execute()
    await assert.rejects(verify(bob.id, await codeOf(world, ann.secret, 1)))
  })
})

describe('the setup of codes by time', () => {
  test('fails with a wrong code, and goes on with the right one', async () => {
    const { id } = await insertPerson(world)
    await assert.rejects(confirmTotp(ctx, id, '123456'), { code: 'totp_missing' })
    const { secret } = await startTotp(ctx, id, 'Bank')
    const { secret: other } = await startTotp(ctx, id, 'Bank')
    assert.notEqual(secret, other)
    await assert.rejects(confirmTotp(ctx, id, await codeOf(world, secret)), { code: 'code_wrong' })
    assert.equal((await confirmTotp(ctx, id, await codeOf(world, other))).recovery_codes.length, 10)
  })

  test('does not replace a secret that is confirmed', async () => {
    const { id, secret } = await withTotp()
    await assert.rejects(startTotp(ctx, id, 'Bank'), { code: 'totp_active' })
    const again = codeOf(world, secret, 1).then((code) => confirmTotp(ctx, id, code))
    await assert.rejects(again, { code: 'totp_active' })
  })

  test('gives recovery codes once where it is confirmed twice at one time', async () => {
    const { id } = await insertPerson(world)
    const { secret } = await startTotp(ctx, id, 'Bank')
    const code = await codeOf(world, secret)
    const settled = await Promise.allSettled(
      Array.from({ length: 6 }, () => confirmTotp(ctx, id, code)),
    )
    assert.equal(settled.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal((await getSecondFactors(ctx, id)).recovery_codes, 10)
  })

  test('ends with its removal, and the recovery codes with it', async () => {
    const { id, secret, recovery_codes } = await withTotp()
    await removeTotp(ctx, id)
    assert.deepEqual(await getSecondFactors(ctx, id), {
      totp: false,
      passkeys: 0,
      recovery_codes: 0,
    })
    assert.equal(await verify(id, await codeOf(world, secret, 1)), false)
    assert.equal(await verify(id, recovery_codes[0] ?? ''), false)
    await assert.rejects(removeTotp(ctx, id), { code: 'totp_missing' })
    await startTotp(ctx, id, 'Bank')
  })
})

describe('recovery codes', () => {
  test('are ten, each valid once, as they are typed', async () => {
    const { id, recovery_codes } = await withTotp()
    assert.equal(recovery_codes.length, 10)
    for (const code of recovery_codes) {
      assert.equal(await verify(id, code.toUpperCase().replace('-', ' ')), true)
      assert.equal(await verify(id, code), false)
    }
    assert.equal((await getSecondFactors(ctx, id)).recovery_codes, 0)
  })

  test('are accepted once by processes that verify at one time', async () => {
    const { id, recovery_codes } = await withTotp()
    const [code = ''] = recovery_codes
    const results = await Promise.all(Array.from({ length: 8 }, () => verify(id, code)))
    assert.equal(count(results), 1)
    assert.equal((await getSecondFactors(ctx, id)).recovery_codes, 9)
  })

  test('of another person are not accepted', async () => {
    const [ann, bob] = [await withTotp(), await withTotp()]
    assert.equal(await verify(ann.id, bob.recovery_codes[0] ?? ''), false)
  })

  test('are not in the database in clear', async () => {
    const { id, recovery_codes } = await withTotp()
    const rows = await world.db
      .selectFrom('recovery_codes')
      .select('code_hash')
      .where('person_id', '=', id)
      .execute()
    assert.equal(rows.length, 10)
    for (const { code_hash } of rows) {
      assert.ok(!recovery_codes.some((code) => code_hash.includes(Buffer.from(code))))
    }
  })
})
