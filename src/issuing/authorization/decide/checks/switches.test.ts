/** Every switch at both levels, through the engine's pure decision (D-33, D-104, D-105). */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inspect } from 'node:util'
import { statusDescription } from '#iso8583/codes.ts'
import { type Switch, switchTable } from '#issuing/products/rules.ts'
import { entryModes } from '#issuing/transactions/schema.ts'
import { Secret } from '#lib/secret.ts'
import {
  about,
  Desk,
  purchase,
  refusalIn,
  settingsOf,
  type TestMessage,
} from '#test/support/desk.ts'
import { keys } from '#test/support/seen.ts'
import { boundCodes } from './amount_bounds.ts'
import { switchCodes } from './switches.ts'

type Fields = Partial<TestMessage>
type Settings = Parameters<typeof settingsOf>[0]

const at = (
  environment: TestMessage['pos']['environment'],
  entry_mode: TestMessage['entry_mode'],
): Fields => ({
  entry_mode,
  pos: { entry_mode, environment },
})
const coded = (digits: string): Fields => ({ processing_code: `${digits}0000` })
const withCvv2: Fields = { cvv2: new Secret('123') }
const withPin: Fields = { pin_block: new Secret('00') }
const of = (mcc: string): Fields => ({ merchant: { id: 'SHOP1', mcc } })
const verification: Fields = { ...coded('33'), amount: 0n }

function deskOf(product: Settings, card: Settings, hour?: number) {
  const desk = new Desk()
  if (hour !== undefined) desk.now.setUTCHours(hour)
  const { id } = desk.addAccount(100_000n)
  return { desk, card: desk.addCard(id, { settings: settingsOf(product, card) }) }
}

/** A purchase online of 10.00, but for `fields`, under these settings, at 10 hours UTC or `hour`. */
function ask(
  fields: Fields,
  product: Settings,
  card: Settings,
  { hour, ...tenant }: { hour?: number | undefined; atm_deposit?: boolean } = {},
) {
  const { desk, card: made } = deskOf(product, card, hour)
  Object.assign(desk.settings, tenant)
  const answer = desk.ask(purchase(made, 1_000n, fields))
  const trace = desk.row(answer).trace
  return { ...answer, last: refusalIn(trace), trace }
}

/**
 * For each switch: the codes, the messages that it stops, and similar ones that it does not stop.
 */
const table: Record<
  Switch,
  { codes: [product: string, card: string]; stops: Fields[]; spares: Fields[] }
> = {
  atm: {
    codes: ['1832', '1862'],
    stops: [
      { ...at('ATM', 'CHIP'), ...coded('01') },
      { ...at('ATM', 'MAGSTRIPE'), ...coded('31'), amount: 0n },
    ],
    spares: [
      at('POS', 'CHIP'),
      { ...at('POS', 'CHIP'), ...coded('01') },
      at('ECOMMERCE', 'MANUAL'),
    ],
  },
  pos: {
    codes: ['1863', '1863'],
    stops: [at('POS', 'CHIP'), at('POS', 'MANUAL'), at('POS', 'FALLBACK')],
    spares: [
      { ...at('ATM', 'CHIP'), ...coded('01') },
      ...[at('ECOMMERCE', 'ECOMMERCE'), at('MAIL_PHONE', 'MANUAL')],
      { ...at('POS', 'CHIP'), ...coded('20') },
    ],
  },
  chip: {
    codes: ['1864', '1864'],
    stops: [at('POS', 'CHIP'), at('POS', 'CONTACTLESS'), { ...at('ATM', 'CHIP'), ...coded('01') }],
    spares: [at('POS', 'MAGSTRIPE'), at('POS', 'FALLBACK'), at('POS', 'MANUAL')],
  },
  magstripe: {
    codes: ['1865', '1865'],
    stops: [at('POS', 'MAGSTRIPE'), { ...at('ATM', 'MAGSTRIPE'), ...coded('01') }],
    spares: [at('POS', 'FALLBACK'), at('POS', 'CHIP')],
  },
  chip_fallback: {
    codes: ['1866', '1866'],
    stops: [at('POS', 'FALLBACK')],
    spares: [at('POS', 'MAGSTRIPE'), at('POS', 'CHIP')],
  },
  pin_absent: {
    codes: ['1837', '1867'],
    stops: [
      ...[at('POS', 'CHIP'), at('POS', 'CONTACTLESS'), at('POS', 'MANUAL')],
      { ...at('ATM', 'MAGSTRIPE'), ...coded('01') },
      { ...at('ECOMMERCE', 'CHIP'), recurring: true },
    ],
    spares: [
      ...[at('ECOMMERCE', 'ECOMMERCE'), at('MAIL_PHONE', 'MANUAL')],
      { ...at('POS', 'CHIP'), ...coded('20') },
      { ...at('ATM', 'CHIP'), ...coded('31'), amount: 0n },
    ],
  },
  ecommerce_3ds: {
    codes: ['1839', '1869'],
    stops: [
      ...[{ three_ds: 'AUTHENTICATED' } as const, { three_ds: 'ATTEMPTED' } as const],
      { ...at('ECOMMERCE', 'CREDENTIAL_ON_FILE'), three_ds: 'AUTHENTICATED' },
    ],
    spares: [{}, { ...at('POS', 'CHIP'), three_ds: 'AUTHENTICATED' }],
  },
  ecommerce_non_3ds: {
    codes: ['1838', '1868'],
    stops: [{}, coded('10'), coded('09')],
    spares: [
      ...[{ three_ds: 'ATTEMPTED' } as const, { recurring: true }, verification, coded('20')],
      ...[at('ECOMMERCE', 'CREDENTIAL_ON_FILE'), at('POS', 'CHIP')],
    ],
  },
  ecommerce_without_cvv2: {
    codes: ['1840', '1870'],
    stops: [{}, { three_ds: 'AUTHENTICATED' }],
    spares: [
      ...[{ recurring: true }, verification, coded('20'), at('MAIL_PHONE', 'MANUAL')],
      at('ECOMMERCE', 'CREDENTIAL_ON_FILE'),
    ],
  },
  quasi_cash: {
    codes: ['1841', '1871'],
    stops: [coded('11'), coded('18'), of('4829'), of('6051'), of('6540'), of('7995')],
    spares: [of('5411'), { ...of('7995'), ...coded('20') }, { merchant: { id: 'SHOP1' } }],
  },
  account_funding: { codes: ['1842', '1872'], stops: [coded('10')], spares: [coded('00')] },
  credit: {
    codes: ['1843', '1873'],
    stops: [coded('26'), coded('28')],
    spares: [coded('20'), coded('21'), coded('22')],
  },
  account_verification_without_cvv2: {
    codes: ['1844', '1874'],
    stops: [
      verification,
      { amount: 0n, is_verification: true },
      { ...verification, ...coded('39') },
    ],
    spares: [{}, { ...verification, ...at('POS', 'CHIP') }, { ...coded('30'), amount: 0n }],
  },
  cash_in: {
    codes: ['1899', '1899'],
    stops: [coded('21'), coded('22'), { ...coded('21'), ...at('ATM', 'CHIP') }],
    spares: [coded('26'), coded('20')],
  },
  cash_out: {
    codes: ['1900', '1900'],
    stops: [coded('01'), coded('12'), coded('17'), coded('23')],
    spares: [coded('00'), coded('09')],
  },
  atm_deposit: {
    codes: ['1901', '1901'],
    stops: [{ ...coded('21'), ...at('ATM', 'CHIP') }],
    spares: [
      { ...coded('21'), ...at('POS', 'CHIP') },
      { ...coded('01'), ...at('ATM', 'CHIP') },
    ],
  },
  atm_night: {
    codes: ['1903', '1903'],
    stops: [{ ...coded('01'), ...at('ATM', 'CHIP') }, ...[coded('12'), coded('17'), coded('23')]],
    spares: [
      { ...coded('21'), ...at('ATM', 'CHIP') },
      { ...coded('31'), ...at('ATM', 'CHIP'), amount: 0n },
      ...[coded('00'), coded('09'), coded('22')],
    ],
  },
  incoming_transfers: {
    codes: ['1849', '1849'],
    stops: [coded('26')],
    spares: [coded('28'), coded('40')],
  },
  outgoing_transfers: {
    codes: ['1850', '1850'],
    stops: [coded('40')],
    spares: [coded('26'), coded('00')],
  },
  recurring: {
    codes: ['1895', '1895'],
    stops: [{ recurring: true }, { recurring: true, ...at('ECOMMERCE', 'CREDENTIAL_ON_FILE') }],
    spares: [{}, { ...verification, recurring: true }, { ...coded('20'), recurring: true }],
  },
}

for (const { name, hour } of switchTable) {
  const { codes, stops, spares } = table[name]
  describe(name, () => {
    for (const [at, level] of (['product', 'card'] as const).entries()) {
      const layers = (value: boolean): [Settings, Settings] =>
        level === 'product' ? [{ [name]: value }, {}] : [{}, { [name]: value }]

      test(`off at the ${level}: ${codes[at]}`, () => {
        for (const fields of stops) {
          const { status_code, approved, last } = ask(fields, ...layers(false), { hour })
          assert.deepEqual([status_code, approved], [codes[at], false])
          assert.deepEqual(last, ['switches', `${level} ${name} off`, codes[at]])
        }
      })

      test(`on, or off at the ${level} for what it is not about: no matter`, () => {
        for (const fields of stops) assert.ok(ask(fields, ...layers(true), { hour }).approved)
        for (const fields of spares) {
          const { last } = ask(fields, ...layers(false), { hour })
          assert.equal(last?.[2], undefined, inspect(fields))
        }
      })
    }

    test('the card cannot allow what the product does not, and the product is checked first', () => {
      for (const card of [true, false]) {
        const { last } = ask(stops[0] ?? {}, { [name]: false }, { [name]: card }, { hour })
        assert.deepEqual(last, ['switches', `product ${name} off`, codes[0]])
      }
      const { last } = ask(stops[0] ?? {}, { [name]: true }, { [name]: false }, { hour })
      assert.equal(last?.[2], codes[1])
    })

    test('an advice of what was approved is posted, and its trace names the switch', () => {
      const advice = { message_type: '0120', advised_approval: { approved: true } } as const
      const { approved, last } = ask({ ...stops[0], ...advice }, { [name]: false }, {}, { hour })
      assert.equal(approved, true)
      assert.deepEqual(last, ['switches', `product ${name} off`, codes[0]])
    })
  })
}

test('the check declares every code of the switches', () => {
  const reached = new Set(['1902', ...Object.values(table).flatMap(({ codes }) => codes)])
  assert.deepEqual(switchCodes.toSorted(), [...reached].sort())
  for (const code of switchCodes) assert.ok(statusDescription(code), code)
})

test('every switch of the product is checked before any of the card', () => {
  const fields = { ...at('ATM', 'CHIP'), ...coded('01') }
  assert.equal(ask(fields, { cash_out: false }, { atm: false }).status_code, '1900')
})

describe('atm_night stops cash from 00:00 until 06:00 by the clocks of the tenant', () => {
  const cases: [zone: string, last: string, first: string, end: string, day: string][] = [
    ['UTC', '2026-06-11T23:59', '2026-06-12T00:00', '2026-06-12T05:59', '2026-06-12T06:00'],
    ['Asia/Dubai', '2026-06-11T19:59', '2026-06-11T20:00', '2026-06-12T01:59', '2026-06-12T02:00'],
    // Nights of five and of seven hours, since the clocks are changed in them.
    [
      'Europe/Berlin',
      '2026-03-28T22:59',
      '2026-03-28T23:00',
      '2026-03-29T03:59',
      '2026-03-29T04:00',
    ],
    [
      'Europe/Berlin',
      '2026-10-24T21:59',
      '2026-10-24T22:00',
      '2026-10-25T04:59',
      '2026-10-25T05:00',
    ],
    // The clocks go from 23:59:59 to 01:00.
    [
      'America/Santiago',
      '2026-09-06T03:59',
      '2026-09-06T04:00',
      '2026-09-06T08:59',
      '2026-09-06T09:00',
    ],
  ]
  const off = { atm_night: false }
  for (const [zone, last, first, end, day] of cases) {
    for (const [product, card] of [
      [off, {}],
      [{}, off],
    ] as const) {
      test(`${zone}, night of ${day.slice(0, 10)}, off at the ${product === off ? 'product' : 'card'}`, () => {
        const codes = [last, first, end, day].map((instant) => {
          const { desk, card: made } = deskOf(product, card)
          desk.settings.time_zone = zone
          desk.now = new Date(`${instant}:00Z`)
          const cash = { ...at('ATM', 'CHIP'), ...coded('01') }
          return desk.ask(purchase(made, 1_000n, cash)).status_code
        })
        assert.deepEqual(codes, ['0000', '1903', '1903', '0000'])
      })
    }
  }
})

test('a deposit at a machine is stopped by the tenant first (1902), in a bank by no one', () => {
  const off = { atm_deposit: false }
  const machine = ask({ ...coded('21'), ...at('ATM', 'CHIP') }, off, off, off)
  assert.deepEqual(machine.last, ['switches', 'tenant atm_deposit off', '1902'])
  assert.ok(ask({ ...coded('21'), ...at('POS', 'CHIP') }, off, off, off).approved)
})

test('a proof that is there is not missed', () => {
  const { desk, card } = deskOf({ pin_absent: false, ecommerce_without_cvv2: false }, {})
  const codeOf = (fields: Fields) => desk.ask(purchase(card, 100n, fields)).status_code
  // Neither is right, which another check finds first.
  const bare = { ...keys, imk_ac: undefined }
  assert.equal(codeOf({ ...at('POS', 'CHIP'), ...withPin, keys: bare }), '1017')
  assert.equal(codeOf({ ...withCvv2, keys }), '1022')
})

test('what raises a hold needs no proof of the cardholder again', () => {
  const off = { pin_absent: false, ecommerce_non_3ds: false, ecommerce_without_cvv2: false }
  const { desk, card } = deskOf({}, {})
  const first = purchase(card, 1_000n)
  desk.ask(first)
  desk.cards.set(card.card_id, { ...card, settings: settingsOf(off, off) })
  assert.equal(desk.ask(about(first, { message_type: '0100', amount: 500n })).status_code, '0000')
  assert.equal(desk.ask(purchase(card, 500n)).status_code, '1838')
})

describe('amounts', () => {
  const cases: [what: string, amount: bigint, Settings, Settings, code: string][] = [
    ['below the least of the product', 999n, { min_amount: '1000' }, {}, '1881'],
    ['the least of the product', 1_000n, { min_amount: '1000' }, {}, '0000'],
    ['above the most of the product', 1_001n, { max_amount: '1000' }, {}, '1829'],
    ['the most of the product', 1_000n, { max_amount: '1000' }, {}, '0000'],
    ['below the least of the card', 999n, {}, { min_amount: '1000' }, '1882'],
    ['the least of the card', 1_000n, {}, { min_amount: '1000' }, '0000'],
    ['above the most of the card', 1_001n, {}, { max_amount: '1000' }, '1883'],
    ['the most of the card', 1_000n, {}, { max_amount: '1000' }, '0000'],
    ['beyond both', 1_001n, { max_amount: '10' }, { max_amount: '10' }, '1829'],
    ['a most of nothing', 1n, { max_amount: '0' }, {}, '1829'],
    ['more than any number', 1_000n, { max_amount: '99999999999999999' }, {}, '0000'],
  ]
  for (const [what, amount, product, card, code] of cases) {
    test(`${what}: ${code}`, () => {
      assert.equal(ask({ amount }, product, card).status_code, code)
    })
  }

  test('every declared code is reached, and has a meaning', () => {
    const reached = new Set(cases.map(([, , , , code]) => code).filter((code) => code !== '0000'))
    assert.deepEqual(boundCodes.toSorted(), [...reached].sort())
    for (const code of boundCodes) assert.ok(statusDescription(code), code)
  })

  test('money for the cardholder, and what asks for none, has no bounds', () => {
    const bounds = { min_amount: '5000', max_amount: '5000' }
    for (const fields of [coded('20'), coded('26'), verification]) {
      assert.ok(ask(fields, bounds, bounds).approved)
    }
  })

  test('what raises a hold is measured with what was held before', () => {
    const bounds = { min_amount: '1000', max_amount: '2000' }
    const { desk, card } = deskOf(bounds, {})
    const first = purchase(card, 1_500n)
    const raise = (amount: bigint) => {
      return desk.ask(about(first, { message_type: '0100', amount })).status_code
    }
    assert.equal(desk.ask(first).status_code, '0000')
    assert.deepEqual([raise(500n), raise(1n)], ['0000', '1829'])
  })
})

test('with everything at its default no message is stopped by a switch, whatever it is', () => {
  const on = Object.fromEntries(switchTable.map(({ name }) => [name, true]))
  for (const entry_mode of entryModes) {
    for (const environment of ['ATM', 'POS', 'ECOMMERCE', 'MAIL_PHONE', 'UNKNOWN'] as const) {
      for (const code of ['00', '01', '10', '11', '20', '21', '22', '26', '28', '40']) {
        for (const layer of [{}, on]) {
          const fields = { ...at(environment, entry_mode), ...coded(code) }
          const { status_code, trace } = ask(fields, layer, layer)
          assert.equal(status_code, '0000')
          assert.deepEqual(
            trace.find(([name]) => name === 'switches'),
            ['switches', 'allowed'],
          )
        }
      }
    }
  }
})
