import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { isLuhn } from '#lib/luhn.ts'
import { assertNumbersFree, closeGate } from '#test/support/gate.ts'
import { assertSound } from '#test/support/inspection/oracle.ts'
import { openWallets, wrongCvv2, wrongExpiry } from '#test/support/wallets.ts'
import { openWorld } from '#test/support/world.ts'
import { FAILURES_MAX, LIVING_TOKENS_MAX } from './rules.ts'

const world = await openWorld()
after(async () => {
  await assertSound(world.db)
  await world[Symbol.asyncDispose]()
})

const wallets = await openWallets(world)
const { ask, card, provision, change: move } = wallets
const loose = await world.otherTenant()

const made = async (fields: object = {}) => {
  const held = await card()
  const { status, body, text } = await provision(held.data, fields)
  assert.equal(status, 200, text)
  return { held, token: body }
}
const change = (id: string, status: string) => ask('PUT', `tokens/${id}`, { status })
const kindsAbout = async (id: string) =>
  (await wallets.eventsOf(id)).map(
    ({ event, new_status, status }) => `${event} ${new_status ?? status}`,
  )

describe('POST /cards:provision', () => {
  test('200 answers a token that is valid as long as its card, its number masked', async () => {
    const { held, token } = await made({ wallet: 'GOOGLE', device_name: 'Pixel of Aisha' })
    assert.deepEqual(token, {
      id: token.id,
      card_id: held.id,
      wallet: 'GOOGLE',
      device_name: 'Pixel of Aisha',
      status: 'ACTIVE',
      masked_token_number: token.masked_token_number,
      last_four: token.last_four,
      expiry_date: held.data.expiry_date,
      created: token.created,
      modified: token.created,
    })
    assert.match(token.masked_token_number, /^79\d{4}\*{6}\d{4}$/)
    assert.deepEqual((await ask('GET', `tokens/${token.id}`)).body, token)
    const event = (await wallets.eventsOf(held.id)).at(-1)
    assert.partialDeepStrictEqual(event, {
      card_id: held.id,
      token_id: token.id,
      wallet: 'GOOGLE',
      device_name: 'Pixel of Aisha',
      status: 'ACTIVE',
    })
  })

  test('400 for what is no card number, month, CVV2 or wallet; none of it is repeated', async () => {
    const { data } = await card()
    for (const wrong of [
      { card_number: `${data.card_number} ` },
      { expiry_date: '06/31' },
      { cvv2: '12' },
      { wallet: 'PAPER' },
      { device_name: '' },
      { pin: '1234' },
    ]) {
      const { status, body, text } = await provision({ ...data, ...wrong }, { ...wrong })
      assert.deepEqual([status, body.errors?.[0].path], [400, ...Object.keys(wrong)])
      assert.ok(!text.includes(data.card_number))
    }
  })

  test('409 card_data_mismatch with the same answer for number, month and CVV2', async () => {
    const { data } = await card()
    const theirs = await (await openWallets(world, await world.otherTenant(pci))).card()
    const token = await tokenNumber((await made()).token.id)
    const reported = new Set<string>()
    for (const wrong of [
      wrongCvv2(data),
      wrongExpiry(data),
      wrongExpiry(wrongCvv2(data)),
      { ...data, cvv2: `${data.cvv2}0` },
      { ...data, card_number: '7000000000000000' },
      { ...data, card_number: token },
      theirs.data,
    ]) {
      const { status, body } = await provision(wrong)
      assert.deepEqual([status, body.code], [409, 'card_data_mismatch'])
      const { request_id: _, ...rest } = body
      reported.add(JSON.stringify(rest))
    }
    assert.equal(reported.size, 1)
  })

  test('409 card_not_active for correct and wrong data', async () => {
    const { id, data } = await card()
    await move(id, 'SUSPENDED', 'S0')
    for (const sent of [data, wrongCvv2(data)]) {
      const { status, body } = await provision(sent)
      assert.deepEqual([status, body.code], [409, 'card_not_active'])
    }
    await move(id, 'ACTIVE', 'A0')
    assert.equal((await provision(data)).status, 200)
  })

  test(`409 tokens_per_card_reached for one more than ${LIVING_TOKENS_MAX}`, async () => {
    const { data } = await card()
    const answers = await Promise.all(
      Array.from({ length: LIVING_TOKENS_MAX + 2 }, () => provision(data)),
    )
    const rejected = answers.filter(({ status }) => status !== 200)
    assert.deepEqual(
      rejected.map(({ body }) => body.code),
      Array(2).fill('tokens_per_card_reached'),
    )
    const living = answers.find(({ status }) => status === 200)
    await change(living?.body.id, 'DELETED')
    assert.equal((await provision(data)).status, 200)
  })

  test('leaves the numbers of the tokens free while it waits for the account', async () => {
    const { id: card_id, data } = await card()
    await provision(data)
    // The right attempt after it writes the card, and so raises the version of its account.
    await provision(wrongCvv2(data))
    const { account_id: id, card_product_id } = (await ask('GET', `cards/${card_id}`)).body
    const gate = await closeGate(world.url, { tenant_id: world.tenant.id, id })
    const waiting = provision(data)
    try {
      await gate.untilBlocked()
      await assertNumbersFree(world, card_product_id, 'TOKEN')
    } finally {
      await gate.open()
    }
    assert.equal((await waiting).status, 200)
  })

  test('409 pan_range_exhausted when every number of the tokens is taken', async () => {
    const product = await wallets.newProduct()
    const { data } = await card({ card_product_id: product.id })
    assert.equal((await provision(data)).status, 200)
    await world.db
      .updateTable('vault.ranges')
      .set({ next: 10_000_000n })
      .where('card_product_id', '=', product.id)
      .where('kind', '=', 'TOKEN')
      .execute()
    const { status, body } = await provision(data)
    assert.deepEqual([status, body.code], [409, 'pan_range_exhausted'])
  })
})

const pci = { pci_compliant: true }
const tokenNumber = async (id: string): Promise<string> =>
  (await ask('GET', `tokens/${id}:reveal`)).body.token_number

describe('GET /cards/{id}/tokens', () => {
  test('200 lists newest first, deleted ones too, in pages', async () => {
    const { held, token } = await made()
    const second = (await provision(held.data)).body
    await change(token.id, 'DELETED')
    const page = (await ask('GET', `cards/${held.id}/tokens?limit=1`)).body
    assert.deepEqual([page.data[0].id, page.has_more], [second.id, true])
    const rest = (await ask('GET', `cards/${held.id}/tokens?after=${page.after}`)).body
    assert.deepEqual([rest.data[0].id, rest.data[0].status], [token.id, 'DELETED'])
    assert.equal(rest.has_more, false)
  })

  test('400 for a cursor of another list, 404 for no card', async () => {
    const { held } = await made()
    const wrong = await ask('GET', `cards/${held.id}/tokens?after=x`)
    assert.deepEqual([wrong.status, wrong.body.code], [400, 'cursor_invalid'])
    assert.equal((await ask('GET', `cards/${randomUUID()}/tokens`)).status, 404)
  })
})

describe('PUT /tokens/{id}', () => {
  test('200 suspends, resumes and deletes, and reports each', async () => {
    const { held, token } = await made()
    for (const status of ['SUSPENDED', 'ACTIVE', 'DELETED']) {
      const { body } = await change(token.id, status)
      assert.equal(body.status, status)
      const { body: read } = await ask('GET', `tokens/${token.id}`)
      assert.deepEqual(read, body)
    }
    const reported = await kindsAbout(held.id)
    assert.deepEqual(reported.slice(-4), [
      'CARD_PROVISIONING ACTIVE',
      'TOKEN_NOTIFICATION SUSPENDED',
      'TOKEN_NOTIFICATION ACTIVE',
      'TOKEN_NOTIFICATION DELETED',
    ])
  })

  test('409 for the same status and for a deleted token; 400 for another value', async () => {
    const { token } = await made()
    const same = await change(token.id, 'ACTIVE')
    assert.deepEqual([same.status, same.body.code], [409, 'token_status_move_refused'])
    await change(token.id, 'DELETED')
    assert.equal((await change(token.id, 'ACTIVE')).status, 409)
    assert.equal((await change(token.id, 'GONE')).status, 400)
  })

  test('404 for no token and for one of another tenant', async () => {
    const { token } = await made()
    assert.equal((await change(randomUUID(), 'DELETED')).status, 404)
    const options = { key: loose.api_key }
    for (const path of [`tokens/${token.id}`, `cards/${token.card_id}/tokens`]) {
      assert.equal((await world.request('GET', `/v1/${path}`, undefined, options)).status, 404)
    }
  })

  test('of eight concurrent deletions one succeeds', async () => {
    const { held, token } = await made()
    const answers = await Promise.all(Array.from({ length: 8 }, () => change(token.id, 'DELETED')))
    assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    const reported = await kindsAbout(held.id)
    assert.equal(reported.filter((kind) => kind.startsWith('TOKEN')).length, 1)
  })
})

describe('GET /tokens/{id}:reveal', () => {
  test('200 answers its own number, which passes Luhn', async () => {
    const { held, token } = await made()
    const { body } = await ask('GET', `tokens/${token.id}:reveal`)
    assert.deepEqual(Object.keys(body).sort(), ['expiry_date', 'id', 'token_number'])
    assert.ok(isLuhn(body.token_number) && body.token_number.length === 16)
    assert.equal(body.token_number.slice(-4), token.last_four)
    assert.notEqual(body.token_number, held.data.card_number)
    assert.equal(body.expiry_date, held.data.expiry_date)
  })

  test('403 when the tenant is not PCI compliant, 404 for no token', async () => {
    const path = `/v1/tokens/${randomUUID()}:reveal`
    const rejected = await world.request('GET', path, undefined, { key: loose.api_key })
    assert.deepEqual([rejected.status, rejected.body.code], [403, 'pci_compliance_required'])
    assert.equal((await ask('GET', `tokens/${randomUUID()}:reveal`)).status, 404)
  })
})

test('the tokens of an expired card are deleted, those of a blocked one in migration are not', async () => {
  const own = await openWallets(world, await world.otherTenant(pci))
  const { id, data } = await own.card()
  const token = (await own.provision(data)).body
  const statusOf = async () => (await own.ask('GET', `tokens/${token.id}`)).body.status
  assert.equal((await own.put(id, { change_to_physical: true })).status, 200)
  for (let at = 0; at < FAILURES_MAX; at++) {
    assert.equal((await own.provision(wrongExpiry(data))).body.code, 'card_data_mismatch')
  }
  assert.deepEqual([await own.state(id), await statusOf()], ['ACTIVE/AT', 'ACTIVE'])
  assert.equal((await own.provision(data)).body.code, 'provisioning_blocked')
  await own.advance('P1D')
  assert.equal((await own.provision(data)).status, 200)
  await own.advance('P4Y')
  assert.deepEqual([await own.state(id), await statusOf()], ['TERMINATED/T4', 'DELETED'])
  assert.equal((await own.eventsAbout(id, 'TOKEN_NOTIFICATION')).length, 2)
})

test('the tokens of a terminated card are deleted, those of a suspended one are not', async () => {
  const { held, token } = await made()
  const second = (await provision(held.data)).body
  await change(second.id, 'SUSPENDED')
  await move(held.id, 'SUSPENDED', 'S0')
  assert.equal((await ask('GET', `tokens/${token.id}`)).body.status, 'ACTIVE')
  await move(held.id, 'TERMINATED', 'T1')
  const { data } = (await ask('GET', `cards/${held.id}/tokens`)).body
  assert.deepEqual(
    data.map(({ status }: { status: string }) => status),
    ['DELETED', 'DELETED'],
  )
  const reported = (await wallets.eventsOf(held.id)).slice(-2)
  assert.deepEqual(
    reported.map(
      ({ token_id, old_status, new_status }) => `${token_id} ${old_status} ${new_status}`,
    ),
    [`${token.id} ACTIVE DELETED`, `${second.id} SUSPENDED DELETED`],
  )
  const again = await provision(held.data)
  assert.deepEqual([again.status, again.body.code], [409, 'card_not_active'])
})
