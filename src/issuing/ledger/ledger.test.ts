import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, test } from 'node:test'
import { sql } from 'kysely'
import { eventsOf } from '#events/outbox.ts'
import { listAccountCounters } from '#issuing/limits/limits.ts'
import { storedCount } from '#issuing/limits/rules.ts'
import type { Finding } from '#kit/audit.ts'
import { type Context, type Tx, transact } from '#kit/context.ts'
import { isConflict } from '#kit/db/conflict.ts'
import { firstIdAt, isId } from '#lib/id.ts'
import { ApiError } from '#lib/result.ts'
import { openWorld } from '#test/support/world.ts'
import {
  auditLedger,
  fundProgram,
  writeLedger as ledgerWrite,
  lockAccounts,
  move,
  type NewTransfer,
  openCardAccount,
  programAccountId,
} from './ledger.ts'
import type { LedgerWrites } from './schema.ts'

const writeLedger = (tx: Tx, writes: LedgerWrites) => ledgerWrite(tx, writes).start()
const world = await openWorld()
after(() => world[Symbol.asyncDispose]())

const AED = 'AED'
type Opened = { id: string }
const funding = (ctx: Context) => programAccountId(ctx.tenant_id, 'FUNDING', AED)
const external = (ctx: Context) => programAccountId(ctx.tenant_id, 'EXTERNAL', AED)
const settlement = (ctx: Context) => programAccountId(ctx.tenant_id, 'SETTLEMENT', AED)

/** A tenant of its own with so much program funding, and its context. */
async function fundedTenant(amount: bigint): Promise<Context> {
  const ctx = await world.ctx((await world.otherTenant()).id)
  await transact(ctx, (tx) => fundProgram(tx, { currency: AED, amount }))
  return ctx
}

function open(ctx: Context, user_id: string = randomUUID()): Promise<Opened> {
  const opening = { currency: AED, user_id, card_product_id: randomUUID() }
  return transact(ctx, (tx) => openCardAccount(tx, opening))
}

const load = (ctx: Context, account: { id: string }, amount: bigint): NewTransfer => ({
  kind: 'LOAD',
  debit_account_id: funding(ctx),
  credit_account_id: account.id,
  currency: AED,
  amount,
})

const doMove = (ctx: Context, ...movements: NewTransfer[]) =>
  transact(ctx, (tx) => move(tx, movements))

async function balanceOf(ctx: Context, id: string): Promise<bigint | null | undefined> {
  const row = await world.db
    .selectFrom('accounts')
    .select('balance')
    .where('tenant_id', '=', ctx.tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.balance
}

async function transfersOf(ctx: Context): Promise<number> {
  const rows = await world.db
    .selectFrom('transfers')
    .select('id')
    .where('tenant_id', '=', ctx.tenant_id)
    .execute()
  return rows.length
}

async function isDefault({ tenant_id }: Context, id: string): Promise<boolean | undefined> {
  const row = await world.db
    .selectFrom('accounts')
    .select('default_account')
    .where('tenant_id', '=', tenant_id)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.default_account
}

const failsWith = (code: string) => (error: unknown) =>
  error instanceof ApiError && error.code === code

describe('programAccountId', () => {
  test('is a UUID, and the same for ever', () => {
    const id = programAccountId('019b0000-0000-7000-8000-000000000001', 'FUNDING', AED)
    assert.equal(id, 'fe8a4b21-5029-8ca7-8300-05cf2e413a99')
    assert.ok(isId(id))
  })

  test('differs by tenant, kind and currency', () => {
    const [one, other] = [randomUUID(), randomUUID()]
    const ids = [
      programAccountId(one, 'FUNDING', AED),
      programAccountId(one, 'FUNDING', 'USD'),
      programAccountId(one, 'FEES', AED),
      programAccountId(other, 'FUNDING', AED),
    ]
    assert.equal(new Set(ids).size, ids.length)
  })

  test('is above every id of a card account, so that it is locked last', () => {
    const account = firstIdAt(Date.UTC(9999, 11, 31))
    for (let at = 0; at < 200; at++) {
      assert.ok(programAccountId(randomUUID(), 'FUNDING', AED) > account)
    }
  })
})

describe('openCardAccount', () => {
  test('opens an empty ACTIVE account, the program accounts beside it, and reports it once', async () => {
    const ctx = await world.ctx((await world.otherTenant()).id)
    const account = await open(ctx)
    assert.equal(await balanceOf(ctx, account.id), 0n)
    assert.equal(await isDefault(ctx, account.id), true)
    assert.deepEqual(await eventsOf(ctx, account.id), ['SUCCESSFULLY_CREATED'])
    const kinds = await world.db
      .selectFrom('accounts')
      .select('kind')
      .where('tenant_id', '=', ctx.tenant_id)
      .orderBy('kind')
      .execute()
    assert.deepEqual(
      kinds.map(({ kind }) => kind),
      ['CARD', 'DISPUTES', 'EXTERNAL', 'FEES', 'FUNDING', 'FX', 'SETTLEMENT', 'SUSPENSE'],
    )
  })

  test('makes exactly one account of a user the default, also among 16 at once', async () => {
    const ctx = await world.ctx((await world.otherTenant()).id)
    const user_id = randomUUID()
    const opened = await Promise.all(Array.from({ length: 16 }, () => open(ctx, user_id)))
    const defaults = await Promise.all(opened.map(({ id }) => isDefault(ctx, id)))
    assert.equal(defaults.filter((one) => one).length, 1)
  })
})

describe('move', () => {
  test('debits, credits, writes the transfer, and answers the accounts afterwards', async () => {
    const ctx = await fundedTenant(100n)
    const account = await open(ctx)
    const answer = await doMove(ctx, load(ctx, account, 30n))
    assert.equal(answer.accounts.get(account.id)?.balance, 30n)
    assert.equal(answer.transfer_ids.length, 1)
    assert.equal(await balanceOf(ctx, account.id), 30n)
    assert.equal(await balanceOf(ctx, funding(ctx)), 70n)
    assert.equal(await transfersOf(ctx), 2)
  })

  test('fails when one of its movements is not covered, and writes nothing', async () => {
    const ctx = await fundedTenant(100n)
    const account = await open(ctx)
    const movements = [load(ctx, account, 60n), load(ctx, account, 41n)]
    await assert.rejects(doMove(ctx, ...movements), failsWith('insufficient_funds'))
    assert.equal(await balanceOf(ctx, funding(ctx)), 100n)
    assert.equal(await transfersOf(ctx), 1)
  })

  test('a movement may spend what the one before it brought', async () => {
    const ctx = await fundedTenant(100n)
    const [one, other] = [await open(ctx), await open(ctx)]
    const onwards: NewTransfer = {
      kind: 'TRANSFER',
      debit_account_id: one.id,
      credit_account_id: other.id,
      currency: AED,
      amount: 25n,
    }
    await doMove(ctx, load(ctx, one, 30n), onwards)
    assert.deepEqual([await balanceOf(ctx, one.id), await balanceOf(ctx, other.id)], [5n, 25n])
  })

  test('the funding pays what came into it just before, and no more', async () => {
    const ctx = await fundedTenant(10n)
    const account = await open(ctx)
    const fund: NewTransfer = {
      kind: 'PROGRAM_FUNDING',
      debit_account_id: external(ctx),
      credit_account_id: funding(ctx),
      currency: AED,
      amount: 90n,
    }
    await doMove(ctx, fund, load(ctx, account, 100n), fund)
    assert.deepEqual(
      [await balanceOf(ctx, account.id), await balanceOf(ctx, funding(ctx))],
      [100n, 90n],
    )
    const early = [load(ctx, account, 100n), fund]
    await assert.rejects(doMove(ctx, ...early), failsWith('insufficient_funds'))
  })

  test('does not find the account of another tenant, and money does not vanish', async () => {
    const [ctx, theirs] = [await fundedTenant(100n), await fundedTenant(100n)]
    const account = await open(theirs)
    await assert.rejects(doMove(ctx, load(ctx, account, 10n)), /an account is missing/)
    assert.equal(await balanceOf(ctx, funding(ctx)), 100n)
  })

  test('64 loads at once share out the funding to the last unit and never overdraw it', async () => {
    const ctx = await fundedTenant(100n)
    const accounts = await Promise.all(Array.from({ length: 8 }, () => open(ctx)))
    const loads = Array.from({ length: 64 }, (_, at) =>
      doMove(ctx, load(ctx, accounts[at % 8] ?? { id: '' }, 3n)),
    )
    const outcomes = await Promise.allSettled(loads)
    const failed = outcomes.filter(({ status }) => status === 'rejected')
    assert.equal(failed.length, 64 - 33)
    for (const outcome of failed) {
      assert.ok(outcome.status === 'rejected' && failsWith('insufficient_funds')(outcome.reason))
    }
    assert.equal(await balanceOf(ctx, funding(ctx)), 1n)
    assert.deepEqual(await auditLedger(world.db), [])
  })

  test('transfers in opposite directions at once never lock each other out', async () => {
    const ctx = await fundedTenant(1000n)
    const [one, other] = [await open(ctx), await open(ctx)]
    await doMove(ctx, load(ctx, one, 500n), load(ctx, other, 500n))
    const between = (from: Opened, to: Opened): NewTransfer => ({
      kind: 'TRANSFER',
      debit_account_id: from.id,
      credit_account_id: to.id,
      currency: AED,
      amount: 1n,
    })
    const both = Array.from({ length: 40 }, (_, at) =>
      doMove(ctx, at % 2 ? between(one, other) : between(other, one)),
    )
    await Promise.all(both)
    assert.deepEqual([await balanceOf(ctx, one.id), await balanceOf(ctx, other.id)], [500n, 500n])
  })

  test('what fails after a movement takes the movement back', async () => {
    const ctx = await fundedTenant(100n)
    const account = await open(ctx)
    const fails = transact(ctx, async (tx) => {
      await move(tx, [load(tx, account, 30n)])
      throw new Error('later')
    })
    await assert.rejects(fails, /later/)
    assert.equal(await balanceOf(ctx, account.id), 0n)
    assert.equal(await transfersOf(ctx), 1)
  })
})

describe('writeLedger', () => {
  const SIZE = 300

  test(`writes ${SIZE} accounts and transfers at once`, async () => {
    const ctx = await fundedTenant(1n)
    const user_id = randomUUID()
    const opened = await transact(ctx, async (tx) => {
      const accounts: Opened[] = []
      for (let at = 0; at < SIZE; at++) {
        const opening = { currency: AED, user_id, card_product_id: user_id }
        accounts.push(await openCardAccount(tx, opening))
      }
      return accounts
    })
    await transact(ctx, (tx) =>
      writeLedger(tx, {
        accounts: opened.map(({ id }) => ({
          id,
          balance: 100n,
          held: 0n,
          floor: 0n,
          version: 1n,
        })),
        transfers: opened.map(({ id }) => ({
          kind: 'REFUND',
          debit_account_id: settlement(ctx),
          credit_account_id: id,
          currency: AED,
          amount: 100n,
          transaction_id: id,
        })),
      }),
    )
    assert.deepEqual(await auditLedger(world.db), [])

    assert.deepEqual(await auditLedger(world.db), [])
    assert.equal(await transfersOf(ctx), SIZE + 1)
  })

  test('the database rejects a balance under its floor, and stores nothing of the batch', async () => {
    const ctx = await fundedTenant(100n)
    const account = await open(ctx)
    const state = { id: account.id, balance: -1n, held: 0n, floor: 0n, version: 1n }
    const spent: NewTransfer = {
      kind: 'CLEARING',
      debit_account_id: account.id,
      credit_account_id: settlement(ctx),
      currency: AED,
      amount: 1n,
    }
    const write = transact(ctx, (tx) => writeLedger(tx, { accounts: [state], transfers: [spent] }))
    await assert.rejects(write, /accounts_funds/)
    assert.equal(await transfersOf(ctx), 1)
  })

  test('an account that has changed since it was read, or does not exist, is a conflict', async () => {
    const ctx = await fundedTenant(100n)
    const { id } = await open(ctx)
    const write = (state: { id: string; version: bigint }) =>
      transact(ctx, (tx) =>
        writeLedger(tx, {
          accounts: [{ balance: 0n, held: 0n, floor: 0n, ...state }],
          transfers: [],
        }),
      )
    await write({ id, version: 1n })
    for (const state of [
      { id, version: 1n },
      { id: randomUUID(), version: 1n },
    ]) {
      await assert.rejects(write(state), isConflict)
    }
    await write({ id, version: 2n })
  })

  test('writes what has counted with the account, and leaves that of the others', async () => {
    const ctx = await fundedTenant(100n)
    const ids = [(await open(ctx)).id, (await open(ctx)).id]
    const write = (version: bigint, counters: ReadonlyMap<string, string>) =>
      transact(ctx, (tx) =>
        writeLedger(tx, {
          accounts: ids.map((id) => ({ id, balance: 0n, held: 0n, floor: 0n, version })),
          counters,
          transfers: [],
        }),
      )
    const counted = async () => {
      const found = await listAccountCounters(ctx, new Map(ids.map((id) => [id, []])))
      return ids.map((id) => found.find(({ holder_id }) => holder_id === id)?.counters)
    }
    const of = (amount: bigint) => [['', { l1: storedCount({ amount, number: 1 }, 'WINDOW') }]]
    const [one = '', other = ''] = ids
    await write(1n, new Map([[one, JSON.stringify(of(5n))]]))
    assert.deepEqual(await counted(), [of(5n), []])
    await write(2n, new Map([[other, JSON.stringify(of(7n))]]))
    assert.deepEqual(await counted(), [of(5n), of(7n)])
    await write(3n, new Map())
    await assert.rejects(write(3n, new Map([[one, JSON.stringify(of(9n))]])), isConflict)
    assert.deepEqual(await counted(), [of(5n), of(7n)])
  })
})

describe('lockAccounts', () => {
  test('answers in the order of ids, without what keeps no balance or does not exist', async () => {
    const ctx = await fundedTenant(1n)
    const [one, other] = [await open(ctx), await open(ctx)]
    const ids = [external(ctx), other.id, randomUUID(), one.id, other.id]
    const locked = await transact(ctx, (tx) => lockAccounts(tx, ids))
    assert.deepEqual(
      locked.map(({ id }) => id),
      [one.id, other.id].sort(),
    )
  })
})

describe('auditLedger', () => {
  let ctx: Context
  let account: Opened
  before(async () => {
    ctx = await fundedTenant(100n)
    account = await open(ctx)
    await doMove(ctx, load(ctx, account, 30n))
  })

  /** Breaks the books in a transaction that is rolled back, and returns what the audit found. */
  async function found(
    ...planted: ((tx: Context) => ReturnType<typeof sql>)[]
  ): Promise<Finding[]> {
    let findings: Finding[] = []
    const rolledBack = transact({ ...ctx, db: world.db }, async (tx) => {
      for (const statement of planted) await statement(tx).execute(tx.db)
      findings = await auditLedger(tx.db)
      throw new Error('roll back')
    })
    await assert.rejects(rolledBack, /roll back/)
    return findings.filter(({ tenant_id }) => tenant_id === ctx.tenant_id)
  }
  const mine = () => sql`tenant_id = ${ctx.tenant_id}`

  test('a balance that was changed by hand breaks I1 and I2', async () => {
    const findings = await found(
      () => sql`update accounts set balance = balance + 1 where ${mine()} and id = ${account.id}`,
    )
    assert.deepEqual(findings.map(({ invariant }) => invariant).sort(), ['I1', 'I2'])
  })

  test('a transfer that was deleted breaks I2 on both sides', async () => {
    const findings = await found(() => sql`delete from transfers where ${mine()} and kind = 'LOAD'`)
    assert.deepEqual(
      findings.map(({ invariant }) => invariant),
      ['I2', 'I2'],
    )
  })

  test('a transfer in another currency, and one with an account that does not exist, break I1', async () => {
    const changed = await found(
      () => sql`update transfers set currency = 'USD' where ${mine()} and kind = 'LOAD'`,
    )
    assert.match(changed.map(({ detail }) => detail).join(), /in USD names account .* of AED/)
    const nowhere = randomUUID()
    const lost = await found(
      () => sql`update transfers set credit_account_id = ${nowhere} where ${mine()}`,
    )
    assert.match(lost.map(({ detail }) => detail).join(), /which does not exist/)
  })

  test('a held amount without its hold, and a hold that nothing holds, break I2', async () => {
    const held = await found(
      () => sql`update accounts set held = 5 where ${mine()} and id = ${account.id}`,
    )
    assert.match(held[0]?.detail ?? '', /keeps 5 as held, its open holds sum to 0/)
    for (const account_id of [account.id, randomUUID()]) {
      const [finding] = await found(
        ({ now }) => sql`
          insert into holds (tenant_id, id, account_id, currency, amount, created)
          values (${ctx.tenant_id}, ${randomUUID()}, ${account_id}, ${AED}, 7, ${now})`,
      )
      assert.match(finding?.detail ?? '', /keeps 0 as held, its open holds sum to 7/)
    }
  })

  test('a balance under its floor breaks I2 even where the constraint is gone', async () => {
    const findings = await found(
      () => sql`alter table accounts drop constraint accounts_funds`,
      () => sql`update accounts set held = 31 where ${mine()} and id = ${account.id}`,
    )
    assert.match(findings.map(({ detail }) => detail).join(), /has -1 available, its floor is 0/)
  })
})
