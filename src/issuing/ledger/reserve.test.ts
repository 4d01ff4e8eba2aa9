import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, test } from 'node:test'
import { type Context, transact } from '#kit/context.ts'
import { newId } from '#lib/id.ts'
import { openWorld } from '#test/support/world.ts'
import {
  auditLedger,
  drawReservation,
  fundProgram,
  lockAccounts,
  move,
  openUnownedAccounts,
  programAccountId,
  reserveFunding,
} from './ledger.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const currency = 'AED'
const fundingId = (ctx: Context) => programAccountId(ctx.tenant_id, 'FUNDING', currency)

async function fundedTenant(amount: bigint): Promise<Context> {
  const ctx = await world.ctx((await world.otherTenant()).id)
  await transact(ctx, (tx) => fundProgram(tx, { currency, amount }))
  return ctx
}
const fundingOf = async (ctx: Context) => {
  const [account] = await transact(ctx, (tx) => lockAccounts(tx, [fundingId(ctx)]))
  return { balance: account?.balance, held: account?.held }
}
const opening = (ids: string[], preload: bigint | null) => ({
  ids,
  card_product_id: randomUUID(),
  currency,
  preload,
})

test('what is reserved is not available to others, and is taken a part at a time', async () => {
  const ctx = await fundedTenant(1_000n)
  const id = newId()
  await transact(ctx, (tx) => reserveFunding(tx, { id, currency, amount: 600n }))
  assert.deepEqual(await fundingOf(ctx), { balance: 1_000n, held: 600n })
  const external = programAccountId(ctx.tenant_id, 'EXTERNAL', currency)
  const transfer = {
    kind: 'TRANSFER',
    debit_account_id: fundingId(ctx),
    credit_account_id: external,
  }
  await assert.rejects(
    transact(ctx, (tx) => move(tx, [{ ...transfer, currency, amount: 401n }])),
    { code: 'insufficient_funds' },
  )

  await transact(ctx, async (tx) => {
    await openUnownedAccounts(tx, opening([newId(), newId()], 200n))
    await drawReservation(tx, { id, currency, amount: 400n })
  })
  assert.deepEqual(await fundingOf(ctx), { balance: 600n, held: 200n })
  assert.deepEqual(await auditLedger(world.db), [])
})

test('accounts without a preload draw nothing', async () => {
  const ctx = await fundedTenant(1n)
  const id = newId()
  await transact(ctx, (tx) => openUnownedAccounts(tx, opening([id], null)))
  const [account] = await transact(ctx, (tx) => lockAccounts(tx, [id]))
  assert.partialDeepStrictEqual(account, { balance: 0n, held: 0n, user_id: null, kind: 'CARD' })
})

test('409 contains what is needed and what is available, in major units', async () => {
  const short = (needed: number, available: number) => ({
    code: 'insufficient_funds',
    extra: { needed, available },
  })
  const reserve = (ctx: Context) =>
    transact(ctx, (tx) => reserveFunding(tx, { id: newId(), currency, amount: 1_050n }))
  await assert.rejects(reserve(await fundedTenant(1_049n)), short(10.5, 10.49))
  const poor = await world.ctx((await world.otherTenant()).id)
  await assert.rejects(reserve(poor), short(10.5, 0))
})

test('more than is held cannot be drawn, nor from a hold that is not there', async () => {
  const ctx = await fundedTenant(1_000n)
  const id = newId()
  await transact(ctx, (tx) => reserveFunding(tx, { id, currency, amount: 100n }))
  const draw = (part: { id: string; amount: bigint }) =>
    transact(ctx, (tx) => drawReservation(tx, { ...part, currency }))
  await assert.rejects(draw({ id, amount: 101n }), /holds_amount_check/)
  await assert.rejects(draw({ id: newId(), amount: 1n }), /a hold is missing/)
  assert.deepEqual(await fundingOf(ctx), { balance: 1_000n, held: 100n })
})
