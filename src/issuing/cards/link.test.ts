import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { eventsOf } from '#events/outbox.ts'
import { auditLedger, lockAccounts, openCardAccount } from '#issuing/ledger/ledger.ts'
import { transact } from '#kit/context.ts'
import { freshBin } from '#test/support/contract/belongings.ts'
import { purchase } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { openWorld } from '#test/support/world.ts'

const world = await openWorld()
after(() => world[Symbol.asyncDispose]())
const issuer = await openIssuer(world)
const { request } = world
const other = await world.otherTenant()

const made = async (path: string, body: object, options = {}) => {
  const answer = await request('POST', path, body, options)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const makeUser = (options = {}) =>
  made('/v1/users', { first_name: 'Aisha', last_name: 'Khan' }, options)
const makeProduct = (fields: object = {}) =>
  made('/v1/cardproducts', {
    name: 'Gift',
    currency: 'AED',
    bin: freshBin(),
    link_account_to_card: false,
    initial_status_of_virtual_card: 'ACTIVE',
    initial_status_of_physical_card: 'ACTIVE',
    ...fields,
  })
const user = await makeUser()
const unlinking = await makeProduct()
const linking = await makeProduct({ link_account_to_card: true })

const makeCard = (fields: object = {}) =>
  made('/v1/cards', {
    user_id: user.id,
    card_product_id: unlinking.id,
    card_type: 'VIRTUAL',
    ...fields,
  })
const link = (id: string, body: object, options = {}) =>
  request('POST', `/v1/cards/${id}:link`, body, options)
const codeOf = ({ status, body }: Awaited<ReturnType<typeof link>>) => body.code ?? status
const terminate = (id: string) =>
  request('PUT', `/v1/cards/${id}:statuschange`, {
    status: 'TERMINATED',
    status_reason_code: 'T0',
  })
const accountOf = async (id: string) => (await request('GET', `/v1/accounts/${id}`)).body
const load = (id: string, amount: number) =>
  made(`/v1/accounts/${id}:loadfunds`, { currency: 'AED', amount })

/** Cards of a bulk issuance: they and their accounts have no user (D-38). */
async function makeBulk(number_of_cards: number, card_product_id = linking.id) {
  const bulk = { card_product_id, number_of_cards, currency: 'AED' }
  const { id } = await made('/v1/bulkissuances', bulk)
  await world.services.runDueJobs(world.tenant.id)
  const { data } = (await request('GET', `/v1/cards?bulk_issuance_id=${id}`)).body
  assert.equal(data.length, number_of_cards)
  return data
}
const makeUnowned = async ({ card_product_id = linking.id } = {}) =>
  (await makeBulk(1, card_product_id))[0]

/** An account of the product that links none at issuing. */
async function openAccount(fields: { user_id?: string; card_product_id?: string } = {}) {
  const input = { currency: 'AED', user_id: user.id, card_product_id: unlinking.id, ...fields }
  return (await transact(await world.ctx(), (tx) => openCardAccount(tx, input))).id
}

describe('POST /cards/{id}:link', () => {
  test('200 opens an account for a card of the user that has none, and reports it', async () => {
    const card = await makeCard()
    const { status, body } = await link(card.id, { user_id: user.id.toUpperCase() })
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { id: card.id, user_id: user.id, status: 'ACTIVE' })
    assert.partialDeepStrictEqual(await accountOf(body.account_id), {
      user_id: user.id,
      card_ids: [card.id],
      currency: 'AED',
      balance: 0,
      status: 'ACTIVE',
    })
    const ctx = await world.ctx()
    assert.deepEqual(await eventsOf(ctx, body.account_id), ['SUCCESSFULLY_CREATED'])
    assert.deepEqual(await eventsOf(ctx, card.id), ['SUCCESSFULLY_CREATED'])
    const { data } = (await request('GET', `/v1/cards/${card.id}/accounts`)).body
    assert.deepEqual(
      data.map(({ id }: { id: string }) => id),
      [body.account_id],
    )
  })

  test('200 to the account named, which other cards use too', async () => {
    const [one, two] = [await makeCard(), await makeCard()]
    const { account_id } = (await link(one.id, { user_id: user.id })).body
    const answer = await link(two.id, { user_id: user.id, account_id: account_id.toUpperCase() })
    assert.equal(answer.body.account_id, account_id)
    assert.deepEqual((await accountOf(account_id)).card_ids, [one.id, two.id])
  })

  test('200 gives an unlinked card its user, and its account the same user', async () => {
    const [first, second] = [await makeUnowned(), await makeUnowned()]
    await load(first.account_id, 25)
    const owner = await makeUser()
    const { body } = await link(first.id, { user_id: owner.id })
    assert.partialDeepStrictEqual(body, { user_id: owner.id, account_id: first.account_id })
    assert.partialDeepStrictEqual(await accountOf(first.account_id), {
      user_id: owner.id,
      balance: 25,
      default_account: true,
    })
    const named = { user_id: owner.id, account_id: second.account_id }
    assert.equal((await link(second.id, named)).status, 200)
    assert.equal((await accountOf(second.account_id)).default_account, false)
    const { data } = (await request('GET', `/v1/accounts?user_id=${owner.id}`)).body
    assert.equal(data.length, 2)
    const paid = { card_id: first.id, amount: 5, currency: 'AED' }
    assert.equal((await made('/v1/simulate/authorizations', paid)).status_code, '0000')
    assert.deepEqual(await auditLedger(world.db), [])
  })

  test('200 gives a card without user and account both', async () => {
    const card = await makeUnowned({ card_product_id: unlinking.id })
    const { body } = await link(card.id, { user_id: user.id })
    assert.equal(body.user_id, user.id)
    assert.equal((await accountOf(body.account_id)).user_id, user.id)
    const another = await makeUnowned({ card_product_id: unlinking.id })
    const { account_id } = body
    assert.equal((await link(another.id, { user_id: user.id, account_id })).status, 200)
  })

  test('200 once under an idempotency key, however often it is sent', async () => {
    const card = await makeCard()
    const headers = { 'x-bezant-idempotency-key': randomUUID() }
    const first = await link(card.id, { user_id: user.id }, { headers })
    const second = await link(card.id, { user_id: user.id }, { headers })
    assert.deepEqual([second.status, second.text], [200, first.text])
  })

  test('409 card_already_linked: user and account of a card do not change', async () => {
    const otherUser = await makeUser()
    const linked = await makeCard({ card_product_id: linking.id })
    const elsewhere = (await makeCard({ card_product_id: linking.id })).account_id
    const unowned = await makeUnowned()
    const { account_id } = linked
    for (const [id, body] of [
      [linked.id, { user_id: user.id }],
      [linked.id, { user_id: user.id, account_id }],
      [linked.id, { user_id: user.id, account_id: elsewhere }],
      [linked.id, { user_id: otherUser.id }],
      [(await makeCard()).id, { user_id: otherUser.id }],
      [unowned.id, { user_id: user.id, account_id: elsewhere }],
    ]) {
      assert.equal(codeOf(await link(id, body)), 'card_already_linked', JSON.stringify(body))
    }
    assert.equal((await accountOf(account_id)).user_id, user.id)
  })

  test('409 card_terminated', async () => {
    const { id } = await makeCard()
    await terminate(id)
    assert.equal(codeOf(await link(id, { user_id: user.id })), 'card_terminated')
  })

  test('409 user_not_active names the status', async () => {
    const [suspended, card] = [await makeUser(), await makeUnowned()]
    await request('PUT', `/v1/users/${suspended.id}:changeStatus`, {
      status: 'SUSPENDED',
      status_reason_code: 'S0',
    })
    const { status, body } = await link(card.id, { user_id: suspended.id })
    assert.deepEqual([status, body.code], [409, 'user_not_active'])
    assert.match(body.detail, /SUSPENDED/)
  })

  test('409 for an account of another user or product, without a user, or not ACTIVE', async () => {
    const { id } = await makeCard()
    const otherUser = await makeUser()
    for (const account_id of [
      await openAccount({ user_id: otherUser.id }),
      await openAccount({ card_product_id: linking.id }),
      (await makeUnowned()).account_id,
    ]) {
      const answer = await link(id, { user_id: user.id, account_id })
      assert.equal(codeOf(answer), 'account_not_fitting')
    }
    for (const status of ['SUSPENDED', 'INACTIVE']) {
      const account_id = await openAccount()
      await request('PUT', `/v1/accounts/${account_id}:statuschange`, { status })
      const { body } = await link(id, { user_id: user.id, account_id })
      assert.equal(body.code, 'account_not_active')
      assert.match(body.detail, new RegExp(status))
    }
    assert.equal('account_id' in (await request('GET', `/v1/cards/${id}`)).body, false)
  })

  test('409 cards_per_user_reached, which a card of the user already counts in', async () => {
    const counted = await makeProduct({ num_of_cards_per_user: 2 })
    const input = { card_product_id: counted.id }
    const [own, unowned] = [await makeCard(input), await makeUnowned(input)]
    await makeCard(input)
    assert.equal(codeOf(await link(unowned.id, { user_id: user.id })), 'cards_per_user_reached')
    assert.equal((await link(own.id, { user_id: user.id })).status, 200)
    await terminate(own.id)
    assert.equal((await link(unowned.id, { user_id: user.id })).status, 200)
  })

  test('400 for a user and an account that do not exist, or are of another tenant', async () => {
    const key = { key: other.api_key }
    const [card, theirs] = [await makeCard(), await makeUser(key)]
    for (const [field, body] of [
      ['user_id', { user_id: randomUUID() }],
      ['user_id', { user_id: theirs.id }],
      ['user_id', {}],
      ['account_id', { user_id: user.id, account_id: randomUUID() }],
      ['card_id', { user_id: user.id, card_id: card.id }],
    ] as const) {
      const { status, body: reported } = await link(card.id, body)
      assert.deepEqual([status, reported.errors[0].path], [400, field])
    }
  })

  test("404 for no card, and for another tenant's", async () => {
    const card = await makeCard()
    const key = { key: other.api_key }
    const theirs = await makeUser(key)
    assert.equal((await link(randomUUID(), { user_id: user.id })).status, 404)
    assert.equal((await link(card.id, { user_id: theirs.id }, key)).status, 404)
  })
})

describe('concurrently', () => {
  test('of 64 links of one card one succeeds, and one account is opened', async () => {
    const [card, owner] = [await makeUnowned({ card_product_id: unlinking.id }), await makeUser()]
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => link(card.id, { user_id: owner.id })),
    )
    const codes = answers.map(codeOf)
    assert.equal(codes.filter((code) => code === 200).length, 1)
    assert.equal(codes.filter((code) => code === 'card_already_linked').length, 63)
    const { data } = (await request('GET', `/v1/accounts?user_id=${owner.id}`)).body
    assert.equal(data.length, 1)
  })

  test('of 16 accounts that one user gets concurrently one is the default', async () => {
    const owner = await makeUser()
    const cards: { id: string }[] = await makeBulk(16)
    const answers = await Promise.all(cards.map(({ id }) => link(id, { user_id: owner.id })))
    assert.ok(answers.every(({ status }) => status === 200))
    const { data } = (await request('GET', `/v1/accounts?user_id=${owner.id}`)).body
    const defaults = data.filter((one: { default_account: boolean }) => one.default_account)
    assert.deepEqual([data.length, defaults.length], [16, 1])
  })

  test('while a card is linked, a payment is posted to its account or declined', async () => {
    const cards = await Promise.all(Array.from({ length: 8 }, () => makeCard()))
    const accounts = await Promise.all(cards.map(() => openAccount()))
    await Promise.all(accounts.map((id) => load(id, 100)))
    const pay = (card_id: string) =>
      made('/v1/simulate/authorizations', { card_id, amount: 1, currency: 'AED' })
    const paid = await Promise.all(
      cards.flatMap(({ id }, at) => [
        ...Array.from({ length: 6 }, () => pay(id)),
        link(id, { user_id: user.id, account_id: accounts[at] }),
        ...Array.from({ length: 6 }, () => pay(id)),
      ]),
    )
    for (const [at, { id }] of cards.entries()) {
      const ofCard = paid.filter(({ card_id }) => card_id === id)
      const codes = new Set(ofCard.map(({ status_code }) => status_code))
      assert.ok([...codes].every((code) => ['0000', '1016'].includes(code)))
      const approved = ofCard.filter(({ status_code }) => status_code === '0000')
      assert.ok(approved.every(({ account_id }) => account_id === accounts[at]))
      assert.equal((await accountOf(accounts[at] ?? '')).held_amount, approved.length)
    }
    assert.deepEqual(await auditLedger(world.db), [])
  })
})

test('a card is linked, and pays, while the account of another of its batch is locked', async () => {
  const [locked, card, linked_to] = [await issuer.card(10), await makeCard(), await openAccount()]
  await load(linked_to, 10)
  const pay = async (card_id: string) => {
    const request = purchase({ card_id }, 100n)
    return (await world.engine.submit(world.tenant.id, { request })).status_code
  }
  const { waiting } = await transact(await world.ctx(), async (tx) => {
    await lockAccounts(tx, [locked.account_id])
    const [waiting, unlinked] = [pay(locked.card_id), pay(card.id)]
    assert.equal(await unlinked, '1016')
    const { status } = await link(card.id, { user_id: user.id, account_id: linked_to })
    assert.equal(status, 200)
    assert.equal(await pay(card.id), '0000')
    return { waiting }
  })
  assert.equal(await waiting, '0000')
  assert.partialDeepStrictEqual(await accountOf(linked_to), { balance: 10, held_amount: 1 })
  assert.deepEqual(await auditLedger(world.db), [])
})

describe('several cards on one account', () => {
  test('share one balance: 64 concurrent payments never overdraw it', async () => {
    const first = await issuer.card(20)
    const cards = [first, await issuer.cardOn(first), await issuer.cardOn(first)]
    const answers = await Promise.all(
      Array.from({ length: 64 }, (_none, at) =>
        made('/v1/simulate/authorizations', {
          card_id: cards[at % 3]?.card_id,
          amount: 1,
          currency: 'AED',
        }),
      ),
    )
    const codes = answers.map(({ status_code }) => status_code)
    assert.equal(codes.filter((code) => code === '0000').length, 20)
    assert.equal(codes.filter((code) => code === '1016').length, 44)
    assert.deepEqual(await issuer.account(first.account_id), {
      balance: 20,
      held: 20,
      available: 0,
    })
    const { card_ids } = await accountOf(first.account_id)
    assert.deepEqual(
      card_ids,
      cards.map(({ card_id }) => card_id),
    )
    for (const { card_id } of cards) {
      const { data } = (await request('GET', `/v1/cards/${card_id}/accounts`)).body
      assert.deepEqual(
        data.map(({ id }: { id: string }) => id),
        [first.account_id],
      )
    }
    assert.deepEqual(await auditLedger(world.db), [])
  })

  test('are declined while it is inactive; approved payments are still posted', async () => {
    const first = await issuer.card(20)
    const cards = [first, await issuer.cardOn(first)]
    const pay = (card_id: string) =>
      made('/v1/simulate/authorizations', { card_id, amount: 1, currency: 'AED' })
    const held = await pay(first.card_id)
    const change = (status: string) =>
      request('PUT', `/v1/accounts/${first.account_id}:statuschange`, { status })
    for (const status of ['SUSPENDED', 'INACTIVE']) {
      await change(status)
      for (const { card_id } of cards) assert.equal((await pay(card_id)).status_code, '1019')
    }
    await made(`/v1/simulate/authorizations/${held.id}:clear`, {})
    assert.equal((await issuer.account(first.account_id)).balance, 19)
    await change('ACTIVE')
    for (const { card_id } of cards) assert.equal((await pay(card_id)).status_code, '0000')
  })
})
