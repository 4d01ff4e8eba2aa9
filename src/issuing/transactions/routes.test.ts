import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, test } from 'node:test'
import { purchase } from '#test/support/desk.ts'
import { openIssuer } from '#test/support/issuer.ts'
import { keeper } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { openWorld } from '#test/support/world.ts'

const keep = keeper()
const world = keep(await openWorld())
const issuer = await openIssuer(world)
const { call } = issuer
const otherIssuer = await openIssuer(world, await world.otherTenant())

type Shown = { id: string; card_id: string; created: string; status: string }
type ListAnswer = { data: Shown[]; after?: string; has_more: boolean }

const list = async (query: Record<string, string | number> = {}): Promise<ListAnswer> => {
  const text = new URLSearchParams(
    Object.entries(query).map(([name, value]): [string, string] => [name, String(value)]),
  )
  const answer = await call('GET', `/v1/transactions?${text}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}
const idsOf = async (query: Record<string, string | number>) =>
  (await list(query)).data.map(({ id }) => id)
const buy = async (card_id: string, amount = 1): Promise<string> =>
  (await issuer.pay(card_id, amount)).id
const wait = (duration: string) => call('PUT', '/v1/simulate/clock', { advance: duration })

describe('GET /transactions', () => {
  /** Two cards on one account and one of another user, with purchases in turn, oldest first. */
  const made: { id: string; card_id: string }[] = []
  let cards: { card_id: string; account_id: string; user_id: string }[] = []
  let middle: string
  before(async () => {
    const first = await issuer.card(50)
    cards = [first, await issuer.cardOn(first), await issuer.card(50)]
    for (let round = 0; round < 4; round++) {
      for (const { card_id } of cards) made.push({ id: await buy(card_id), card_id })
      if (round === 1) {
        await wait('PT1H')
        middle = (await call('GET', '/v1/simulate/clock')).body.now
      }
    }
    await otherIssuer.call('POST', '/v1/simulate/authorizations', {
      card_id: (await otherIssuer.card(10)).card_id,
      amount: 1,
      currency: 'AED',
    })
  })
  const newest = (fits: (card_id: string) => boolean) =>
    made
      .filter(({ card_id }) => fits(card_id))
      .map(({ id }) => id)
      .reverse()
  const card = (at: number) => {
    const found = cards[at]
    assert.ok(found)
    return found
  }

  test('200 lists the tenant’s own, newest first', async () => {
    assert.deepEqual(
      await idsOf({}),
      newest(() => true),
    )
    const { data, has_more } = await list({ limit: 1 })
    assert.deepEqual((await call('GET', `/v1/transactions/${data[0]?.id}`)).body, data[0])
    assert.equal(has_more, true)
  })

  test('200 of a card, an account and a user, whose cards are merged', async () => {
    const [one, two, three] = [card(0), card(1), card(2)]
    assert.deepEqual(
      await idsOf({ card_id: one.card_id }),
      newest((id) => id === one.card_id),
    )
    for (const query of [{ account_id: one.account_id }, { user_id: one.user_id }]) {
      assert.deepEqual(
        await idsOf(query),
        newest((id) => id !== three.card_id),
      )
    }
    assert.deepEqual(
      await idsOf({ account_id: one.account_id, card_id: two.card_id, user_id: two.user_id }),
      newest((id) => id === two.card_id),
    )
    assert.deepEqual(await idsOf({ account_id: one.account_id, card_id: three.card_id }), [])
  })

  for (const filter of ['card_id', 'account_id', 'user_id'] as const) {
    test(`200 pages of ${filter} follow each other without gap or repeat`, async () => {
      const whole = await idsOf({ [filter]: card(0)[filter] })
      for (const limit of [1, 3]) {
        const ids: string[] = []
        let after: string | undefined
        do {
          const query = { [filter]: card(0)[filter], limit, ...(after && { after }) }
          const page = await list(query)
          ids.push(...page.data.map(({ id }) => id))
          assert.equal(page.has_more, ids.length < whole.length)
          after = page.has_more ? page.after : undefined
        } while (after)
        assert.deepEqual(ids, whole)
      }
    })

    test(`200 with nothing for a ${filter} that does not exist`, async () => {
      assert.deepEqual(await list({ [filter]: randomUUID() }), { data: [], has_more: false })
    })
  }

  test('200 of a time: from it on, and before it', async () => {
    const all = newest(() => true)
    assert.deepEqual(await idsOf({ from: middle }), all.slice(0, 6))
    assert.deepEqual(await idsOf({ to: middle }), all.slice(6))
    const [last] = (await list({ to: middle, limit: 1 })).data
    assert.ok(last)
    assert.ok((await idsOf({ from: last.created })).includes(last.id), 'from is included')
    assert.ok(!(await idsOf({ to: last.created })).includes(last.id), 'to is not')
    assert.deepEqual(await idsOf({ from: middle, to: middle }), [])
    const { account_id } = card(0)
    assert.deepEqual(
      await idsOf({ account_id, from: middle }),
      newest((id) => id !== card(2).card_id).slice(0, 4),
    )
  })

  test('200 of a status', async () => {
    const { card_id } = card(2)
    const declined = await buy(card_id, 1_000)
    assert.deepEqual(await idsOf({ status: 'DECLINED' }), [declined])
    assert.deepEqual(await idsOf({ card_id, status: 'DECLINED' }), [declined])
    assert.deepEqual(await idsOf({ card_id: card(0).card_id, status: 'DECLINED' }), [])
    assert.equal((await idsOf({ status: 'PENDING' })).length, made.length)
    for (const status of ['SETTLED', 'VOIDED', 'EXPIRED']) {
      assert.deepEqual(await idsOf({ status }), [])
    }
  })

  test('400 for a filter, cursor or limit that is none', async () => {
    for (const query of [
      'card_id=x',
      'account_id=1',
      'user_id=',
      'status=OPEN',
      'from=yesterday',
      'to=2026-02-30T00:00:00Z',
      'after=x',
      'limit=0',
      'limit=201',
      'colour=red',
    ]) {
      assert.equal((await call('GET', `/v1/transactions?${query}`)).status, 400, query)
    }
  })

  test('401 without a key', async () => {
    assert.equal((await call('GET', '/v1/transactions', undefined, { key: null })).status, 401)
  })
})

describe('GET /transactions/{id}', () => {
  test('200 also in capital letters, 404 for another tenant’s and for none, 400 for no id', async () => {
    const { card_id } = await issuer.card(10)
    const id = await buy(card_id)
    for (const part of ['', '/trace']) {
      assert.equal((await call('GET', `/v1/transactions/${id.toUpperCase()}${part}`)).status, 200)
      assert.equal((await otherIssuer.call('GET', `/v1/transactions/${id}${part}`)).status, 404)
      assert.equal((await call('GET', `/v1/transactions/${randomUUID()}${part}`)).status, 404)
      assert.equal((await call('GET', `/v1/transactions/x${part}`)).status, 400)
    }
  })

  test('200 writes amounts in the decimals of their currency, also of an unknown one', async () => {
    const { card_id } = await issuer.card(10)
    const amounts = await Promise.all(
      ['JPY', 'KWD', '000'].map(async (currency) => {
        const request = purchase({ card_id }, 5_000n, { currency })
        const { transaction_id } = await world.engine.submit(world.tenant.id, { request })
        const { body } = await call('GET', `/v1/transactions/${transaction_id}`)
        return [body.amount, body.events[0].amount, body.status_code]
      }),
    )
    assert.deepEqual(amounts, [
      [5_000, 5_000, '1888'],
      [5, 5, '1888'],
      [5_000, 5_000, '1888'],
    ])
  })
})

describe('GET /transactions/{id}/trace', () => {
  test('200 lists each check in order, and which declined', async () => {
    const { card_id } = await issuer.card(10)
    const id = await buy(card_id, 11)
    const { status, body } = await call('GET', `/v1/transactions/${id}/trace`)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body, { transaction_id: id, status_code: '1016' })
    assert.deepEqual(
      body.checks.map(({ check }: { check: string }) => check),
      [
        ...['format', 'reversal', 'deadline', 'card', 'product', 'card status', 'cardholder'],
        ...['wallet', 'verification tries', 'expiry', 'service code', 'chip', 'card verification'],
        ...[
          'PIN tries',
          'PIN',
          'transaction type',
          'switches',
          'cash terminal',
          'cardholder phone',
        ],
        ...['countries', 'MCCs', 'merchants', 'currency', 'amount', 'amount bounds'],
        ...['velocity', 'stop orders', 'responder', 'account', 'funds', 'balance limits'],
      ],
    )
    const isRefused = ({ verdict }: { verdict: string }) => verdict === 'refused'
    assert.deepEqual(body.checks.filter(isRefused), [
      {
        check: 'funds',
        detail: 'available 1000',
        verdict: 'refused',
        status_code: '1016',
        decisive: true,
      },
    ])
  })

  test('200 of a message about another contains what was found', async () => {
    const { card_id } = await issuer.card(10)
    const id = await buy(card_id)
    const path = `/v1/simulate/authorizations/${id}:reverse`
    await call('POST', path)
    const { body: declined } = await call('POST', path)
    const { body } = await call('GET', `/v1/transactions/${declined.id}/trace`)
    assert.deepEqual(body.checks, [
      {
        check: 'original',
        detail: `${id} is VOIDED`,
        verdict: 'refused',
        status_code: '1894',
        decisive: true,
      },
    ])
  })

  test('200 lists the checks after the first that declined, as not decisive', async () => {
    const { card_id } = await issuer.card(10)
    await call('PUT', `/v1/cards/${card_id}/authsettings`, { max_amount: 5 })
    const id = await buy(card_id, 11)
    const { body } = await call('GET', `/v1/transactions/${id}/trace`)
    type Check = { check: string; verdict: string; status_code?: string; decisive: boolean }
    const refused = body.checks.filter(({ verdict }: Check) => verdict === 'refused')
    assert.deepEqual(
      refused.map(({ status_code, decisive }: Check) => [status_code, decisive]),
      [
        ['1883', true],
        ['1016', false],
      ],
    )
    const { body: unknown } = await call('POST', '/v1/simulate/authorizations', {
      card_number: '4999991234567890',
      amount: 1,
      currency: 'AED',
    })
    const { body: shown } = await call('GET', `/v1/transactions/${unknown.id}/trace`)
    const after = shown.checks.filter(({ decisive }: Check) => !decisive)
    assert.ok(after.length > 10)
    assert.ok(after.every(({ verdict }: Check) => verdict === 'skipped'))
  })
})

test('each event contains the transaction as it was then, by feed and in the order of its life', async () => {
  const { card_id } = await issuer.card(100)
  const path = '/v1/simulate/authorizations'
  const states: Shown[] = []
  const keep = async (answer: ReturnType<typeof call>) => {
    const { body } = await answer
    states.push(body)
    return body.id as string
  }
  const id = await keep(call('POST', path, { card_id, amount: 10, currency: 'AED' }))
  await keep(call('POST', `${path}/${id}:increment`, { amount: 5 }))
  await keep(call('POST', `${path}/${id}:clear`, { amount: 6 }))
  await keep(call('POST', `${path}/${id}:reverse`, { amount: 2 }))
  await keep(call('POST', `${path}/${id}:clear`))
  type Reported = { id: string; event: string; created: string; card_transaction?: Shown }
  const reported = await until('the feed lists all', async () => {
    const { body } = await call('GET', '/v1/events?limit=200')
    const found: Reported[] = body.data.filter((one: Reported) => one.card_transaction?.id === id)
    return found.length >= states.length && found
  })
  assert.deepEqual(
    reported.map(({ card_transaction }) => card_transaction),
    states,
  )
  for (const { event, id: event_id, created, card_transaction, ...rest } of reported) {
    assert.equal(event, 'TRANSACTION')
    assert.match(event_id, /^[0-9a-f-]{36}$/)
    assert.equal(created, (card_transaction as unknown as { modified: string }).modified)
    assert.deepEqual(rest, {})
  }
  assert.doesNotMatch(JSON.stringify(reported), /cvv|"pan"|card_number|trace/)
})
