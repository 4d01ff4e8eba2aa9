import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Fields, Message } from '#iso8583/message.ts'
import { completion, reversal, sale } from '#test/support/network/messages.ts'
import type { AuthorizationRequest } from '../schema.ts'
import { DECISION_TIME, toRequest } from './request.ts'

const PAN = '4000005621471607'
const TRACK = `${PAN}=31122010123498700`

const purchase = (fields: Fields = {}, mti = '0100') =>
  sale({ pan: PAN, amount: 1050n, mti, fields })

function requestOf(message: Message): AuthorizationRequest {
  const result = toRequest(message, 1000)
  assert.ok(result.ok)
  return result.request
}

const faultOf = (message: Message) => requestOf(message).format_fault

test('a purchase becomes a request in the field’s own terms', () => {
  const message = purchase({ 11: '000123', 37: '616310000123', 14: '3112' })
  const { card, ...request } = requestOf(message)
  assert.ok('pan' in card && card.pan.reveal() === PAN)
  assert.deepEqual(request, {
    message_type: '0100',
    processing_code: '000000',
    amount: 1050n,
    currency: 'AED',
    merchant: {
      id: 'MERCHANT0000001',
      name: 'Lulu Hypermarket',
      mcc: '5411',
      city: 'Abu Dhabi',
      country: 'ARE',
    },
    pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE', terminal_id: 'TERM0001' },
    entry_mode: 'ECOMMERCE',
    expiry: '3112',
    three_ds: 'NONE',
    recurring: false,
    partial_capable: false,
    is_verification: false,
    local_time: '141530',
    local_date: '0612',
    rrn: '616310000123',
    stan: '000123',
    acquirer_id: '400123',
    original: { rrn: '616310000123' },
    duplicate_key: '0100|000123|0612101530|400123|616310000123',
    deadline: 1000 + DECISION_TIME,
  })
})

test('the country is that of DE43 in two or three characters, or that of the acquirer', () => {
  const place = (city: string, country: string) =>
    `${'Lulu Hypermarket'.padEnd(25)}${city.padEnd(15 - country.length)}${country}`
  const rows: [fields: Fields, country: string | undefined][] = [
    [{ 43: place('Abu Dhabi', 'AE') }, 'ARE'],
    [{ 43: place('Riyadh', 'SAU') }, 'SAU'],
    [{ 43: place('Manama', '048') }, 'BHR'],
    // A city of thirteen letters before two letters of a country: no alpha-3 code.
    [{ 43: place('ABCDEFGHIJKLU', 'SA') }, 'SAU'],
    [{ 43: place('Abu Dhabi', ''), 19: '784' }, 'ARE'],
    [{ 43: place('Riyadh', 'SA'), 19: '784' }, 'SAU'],
    [{ 43: place('Abu Dhabi', 'ZZ') }, undefined],
  ]
  for (const [fields, country] of rows) {
    assert.equal(requestOf(purchase(fields)).merchant.country, country, fields[43])
  }
})

test('DE22, DE25 and DE61 contain entry mode, environment and recurring payments', () => {
  type Row = [fields: Fields, entry: string, environment: string, recurring?: boolean]
  const rows: Row[] = [
    [{ 22: '000', 25: '00' }, 'UNKNOWN', 'UNKNOWN'],
    [{ 22: '011', 25: '00' }, 'MANUAL', 'POS'],
    [{ 22: '011', 25: '71' }, 'MANUAL', 'POS'],
    [{ 22: '012', 25: '59' }, 'ECOMMERCE', 'ECOMMERCE'],
    [{ 22: '012', 25: '08' }, 'MANUAL', 'MAIL_PHONE'],
    [{ 22: '012', 25: '01' }, 'MANUAL', 'MAIL_PHONE'],
    [{ 22: '012', 25: '00', 61: '00020000000' }, 'MANUAL', 'MAIL_PHONE'],
    [{ 22: '012', 25: '00', 61: '00030000000' }, 'MANUAL', 'MAIL_PHONE'],
    [{ 22: '012', 25: '00', 61: '00050000000' }, 'ECOMMERCE', 'ECOMMERCE'],
    [{ 22: '021', 25: '00' }, 'MAGSTRIPE', 'POS'],
    [{ 22: '051', 25: '00' }, 'CHIP', 'POS'],
    [{ 22: '051', 25: '00', 18: '6011' }, 'CHIP', 'ATM'],
    [{ 22: '071', 25: '00' }, 'CONTACTLESS', 'POS'],
    [{ 22: '092', 25: '59' }, 'ECOMMERCE', 'ECOMMERCE'],
    [{ 22: '102', 25: '00' }, 'CREDENTIAL_ON_FILE', 'ECOMMERCE', true],
    [{ 22: '102', 25: '08' }, 'CREDENTIAL_ON_FILE', 'MAIL_PHONE', true],
    [{ 22: '012', 25: '73' }, 'MANUAL', 'ECOMMERCE', true],
    [{ 22: '812', 25: '00', 61: '00040000000' }, 'ECOMMERCE', 'ECOMMERCE', true],
    [{ 22: '791', 25: '00' }, 'MANUAL', 'POS'],
    [{ 22: '801', 25: '00' }, 'FALLBACK', 'POS'],
    [{ 22: '812', 25: '00' }, 'ECOMMERCE', 'ECOMMERCE'],
    [{ 22: '822', 25: '00' }, 'ECOMMERCE', 'ECOMMERCE'],
    [{ 22: '901', 25: '00' }, 'MAGSTRIPE', 'POS'],
    [{ 22: '911', 25: '00' }, 'MAGSTRIPE', 'POS'],
    [{ 22: '951', 25: '00' }, 'CHIP', 'POS'],
    [{ 22: '991', 25: '00' }, 'UNKNOWN', 'UNKNOWN'],
  ]
  for (const [fields, entry_mode, environment, recurring = false] of rows) {
    const request = requestOf(purchase(fields))
    const found = [request.entry_mode, request.pos.entry_mode, request.pos.environment]
    assert.deepEqual(found, [entry_mode, entry_mode, environment], JSON.stringify(fields))
    assert.equal(request.recurring, recurring, JSON.stringify(fields))
  }
})

test('3-D Secure is read from element 42 or the indicator of DE60', () => {
  const rows: [Fields, string][] = [
    [{}, 'NONE'],
    [{ 48: '42070103210' }, 'NONE'],
    [{ 48: '42070103211' }, 'ATTEMPTED'],
    [{ 48: '42070103212' }, 'AUTHENTICATED'],
    [{ 48: '42070103217' }, 'NONE'],
    [{ 60: '0000000005' }, 'AUTHENTICATED'],
    [{ 60: '0000000006' }, 'ATTEMPTED'],
    [{ 60: '0000000007' }, 'NONE'],
    [{ 60: 'COMPLETION' }, 'NONE'],
    [{ 48: '42070103210', 60: '0000000005' }, 'NONE'],
  ]
  for (const [fields, three_ds] of rows) {
    assert.equal(requestOf(purchase(fields)).three_ds, three_ds, JSON.stringify(fields))
  }
})

test('the AAV comes from DE48 with a claim of authentication, and from no other message', () => {
  const aav = 'A'.repeat(28)
  const claimed = requestOf(purchase({ 48: `420701032124328${aav}` }))
  assert.equal(claimed.aav?.reveal(), aav)
  for (const elements of [`420701032114328${aav}`, `4328${aav}`, '42070103212']) {
    assert.equal(requestOf(purchase({ 48: elements })).aav, undefined, elements)
  }
})

test('CVV2 and the partial mark come from DE48', () => {
  const request = requestOf(purchase({ 48: '920312361011' }))
  assert.equal(request.cvv2?.reveal(), '123')
  assert.equal(request.partial_capable, true)
  assert.equal(requestOf(purchase({ 48: '61010' })).partial_capable, false)
  assert.equal(requestOf(purchase()).cvv2, undefined)
})

test('the track brings card, expiry and verification value, each where the entry wants it', () => {
  type Row = [fields: Fields, cvv: [value: string | undefined, service_code: string] | undefined]
  const rows: Row[] = [
    [{ 22: '901', 35: TRACK }, ['987', '201']],
    [{ 22: '801', 35: TRACK }, ['987', '201']],
    [{ 22: '911', 35: TRACK }, ['987', '201']],
    [{ 22: '051', 35: TRACK }, ['987', '999']],
    [{ 22: '071', 35: TRACK }, ['987', '999']],
    [{ 22: '051' }, undefined],
    [{ 22: '021', 35: TRACK }, [undefined, '201']],
    [{ 22: '021' }, ['', '']],
    [{ 22: '951', 35: TRACK }, undefined],
    [{ 22: '812', 35: TRACK }, undefined],
    // A value that no card has: declined with 1022, not let through unchecked.
    [{ 22: '901' }, ['', '']],
    [{ 22: '901', 35: `${PAN}=3112201` }, ['', '201']],
    [{ 22: '901', 35: `${PAN}=3112201012349` }, ['9', '201']],
  ]
  for (const [fields, cvv] of rows) {
    const { track_cvv } = requestOf(purchase(fields))
    const found = track_cvv && [track_cvv.value?.reveal(), track_cvv.service_code]
    assert.deepEqual(found, cvv, JSON.stringify(fields))
  }
  const { 2: _, ...rest } = purchase({ 22: '901', 35: TRACK }).fields
  const request = requestOf({ mti: '0100', fields: rest })
  assert.ok('pan' in request.card && request.card.pan.reveal() === PAN)
  assert.equal(request.expiry, '3112')
  assert.equal(requestOf(purchase({ 14: '2901', 35: TRACK })).expiry, '2901')
})

test('a PIN block is one of format 0 in DE52 or of format 4 in DE123', () => {
  const short = '0123456789ABCDEF'
  const rows: [Fields, string | undefined][] = [
    [{}, undefined],
    [{ 52: short }, short],
    [{ 52: short, 53: '0000000000000000' }, short],
    [{ 123: short + short, 53: '0400000000000000' }, short + short],
    [{ 123: short + short }, short + short],
  ]
  for (const [fields, block] of rows) {
    assert.equal(requestOf(purchase(fields)).pin_block?.reveal(), block)
  }
  const bad: Fields[] = [
    { 52: short, 53: '0400000000000000' },
    { 123: short + short, 53: '0000000000000000' },
    { 52: short, 123: short + short },
    { 123: short },
  ]
  for (const fields of bad) assert.equal(faultOf(purchase(fields))?.status_code, '9104')
})

test('a verification is a mark and an amount of zero', () => {
  const zero = '000000000000'
  const rows: [Fields, boolean][] = [
    [{ 25: '51', 4: zero }, true],
    [{ 25: '51' }, false],
    [{ 25: '00', 4: zero, 61: '0000008' }, true],
    [{ 25: '00', 4: zero }, false],
  ]
  for (const [fields, expected] of rows) {
    assert.equal(requestOf(purchase(fields)).is_verification, expected, JSON.stringify(fields))
  }
})

test('a currency in which no money can be held is recorded as none', () => {
  assert.equal(requestOf(purchase({ 49: '414' })).currency, 'KWD')
  assert.equal(requestOf(purchase({ 49: '001' })).currency, 'XXX')
})

test('completions and reversals name their original', () => {
  const original = purchase({ 11: '000777', 32: '00400123' })
  const answer = { mti: '0110', fields: { 38: 'A1B2C3' } }
  const rrn = original.fields[37]
  const named = { message_key: '0100|000777|0612101530|400123', rrn }
  const key = requestOf(original).duplicate_key
  assert.equal(key, `${named.message_key}|${rrn}`, 'as the original itself is known')
  assert.deepEqual(requestOf(completion(original, answer)).original, {
    ...named,
    approval_code: 'A1B2C3',
  })
  const partial = requestOf(reversal(original, 300n))
  assert.deepEqual(partial.original, named)
  assert.equal(partial.remaining_amount, 300n)
  assert.equal(requestOf(reversal(original)).remaining_amount, undefined)
  const unknown = reversal(original, undefined, { 90: '0'.repeat(42) })
  assert.deepEqual(requestOf(unknown).original, { rrn })
})

test('a repeat has the key and the type of the first', () => {
  const first = purchase()
  for (const [mti, repeat] of [
    ['0100', '0101'],
    ['0120', '0121'],
    ['0400', '0401'],
    ['0420', '0421'],
  ] as const) {
    const one = requestOf({ mti, fields: { ...first.fields, 39: '00', 38: '000001' } })
    const two = requestOf({ mti: repeat, fields: { ...first.fields, 39: '00', 38: '000001' } })
    assert.equal(two.message_type, mti)
    assert.equal(two.duplicate_key, one.duplicate_key)
  }
})

test('an advice contains what the network answered, and has no deadline', () => {
  const reported = (fields: Fields) => requestOf(purchase(fields, '0120'))
  assert.deepEqual(reported({ 39: '00', 38: 'ABC123' }).advised_approval, {
    approved: true,
    approval_code: 'ABC123',
  })
  assert.deepEqual(reported({ 39: '05' }).advised_approval, { approved: false })
  assert.equal(reported({ 39: '00', 38: 'ABC123' }).deadline, undefined)
  assert.equal(requestOf(reversal(purchase())).deadline, undefined)
})

test('every mandatory field is missed by name: 1846 for DE22, 9104 for the others', () => {
  const common = [3, 4, 7, 11, 12, 13, 18, 25, 32, 37, 41, 42, 43, 49]
  const approved = { 38: '000001', 39: '00' }
  const rows: [message: Message, mandatory: number[]][] = [
    [purchase(), [...common, 22]],
    [purchase({}, '0200'), [...common, 22]],
    [purchase(approved, '0120'), [...common, 22, 38, 39]],
    [purchase(approved, '0220'), [...common, 22, 38, 39]],
    [reversal(purchase()), [...common, 90]],
    [{ ...reversal(purchase()), mti: '0420' }, [...common, 90]],
  ]
  for (const [message, mandatory] of rows) {
    assert.equal(faultOf(message), undefined, message.mti)
    for (const de of mandatory) {
      const fields = { ...message.fields }
      delete fields[de]
      const detail = `DE${de} is missing`
      const status_code = de === 22 ? '1846' : '9104'
      const fault = faultOf({ mti: message.mti, fields })
      assert.deepEqual(fault, { status_code, detail }, `${message.mti} ${de}`)
    }
  }
})

test('a time or date of the terminal that is none decides nothing, and is not kept', () => {
  for (const fields of [{ 12: '246000' }, { 13: '0632' }]) {
    const request = requestOf(purchase(fields))
    assert.equal(request.format_fault, undefined)
    assert.equal(request.local_time === undefined, 12 in fields)
    assert.equal(request.local_date === undefined, 13 in fields)
  }
  const fields = { ...purchase().fields }
  delete fields[12]
  assert.equal(faultOf({ mti: '0100', fields, left_out: [12] }), undefined)
})

test('a field that means nothing is a format fault that repeats no value', () => {
  const rows: [Fields, de: number][] = [
    [{ 2: '40000' }, 2],
    [{ 7: '1312101530' }, 7],
    [{ 7: '0612241530' }, 7],
    [{ 35: '4000005621471607' }, 35],
    [{ 35: '4000005621471615=31122010123498700' }, 35],
    [{ 37: '            ' }, 37],
    [{ 48: '9203' }, 48],
    [{ 48: '92031239203123' }, 48],
    [{ 48: '920212' }, 48],
    [{ 48: '9203abc' }, 48],
    [{ 49: 'AED' }, 49],
    [{ 49: '   ' }, 49],
    [{ 49: '000' }, 49],
    [{ 49: '001' }, 49],
  ]
  for (const [fields, de] of rows) {
    const fault = faultOf(purchase(fields))
    assert.deepEqual(fault, { status_code: '9104', detail: `DE${de} is malformed` })
  }
})

test('a field that decides nothing of the message declines nothing', () => {
  const rows: Fields[] = [
    { 50: '   ' },
    { 50: 'AED' },
    { 51: '   ' },
    { 51: '001' },
    { 95: '0'.repeat(42) },
    { 38: '      ' },
    { 62: 'é\0\x01' },
  ]
  for (const fields of rows) assert.equal(faultOf(purchase(fields)), undefined)
  const advised = { 38: '000001', 39: '00', 52: '00'.repeat(8), 53: '99'.repeat(8) }
  assert.equal(faultOf(purchase(advised, '0120')), undefined)
  assert.equal(requestOf(purchase({ 95: '0'.repeat(42) })).remaining_amount, undefined)
  const part = reversal(purchase({ 95: '0'.repeat(41) }))
  assert.deepEqual(faultOf({ ...part, fields: { ...part.fields, 95: '0' } }), {
    status_code: '9104',
    detail: 'DE95 is malformed',
  })
})

test('of DE95 the amount that stays is read, whatever stands behind it', () => {
  for (const rest of ['0'.repeat(30), ' '.repeat(30), '\u00e9'.repeat(30)]) {
    const part = reversal(purchase({ 95: `000000002500${rest}` }))
    assert.equal(requestOf(part).remaining_amount, 2500n)
  }
})

test('DE43 is latin 1, and a control character in it is a blank', () => {
  const name = 'Café\0\0Zürich'.padEnd(25, '\0')
  const place = { 43: `${name}${'Genève\0'.padEnd(13)}CH` }
  const { merchant, format_fault } = requestOf(purchase(place))
  assert.equal(format_fault, undefined)
  assert.partialDeepStrictEqual(merchant, {
    name: 'Café  Zürich',
    city: 'Genève',
    country: 'CHE',
  })
})

test('a format fault leaves the duplicate key to the message that comes in order', () => {
  assert.equal(requestOf(purchase({ 22: undefined })).duplicate_key, undefined)
})

test('a fault of the codec is reported by place and kind', () => {
  const read = purchase({ 18: undefined })
  const characters = { reason: 'characters', de: 18, at: 100, read } as const
  const bitmap = { reason: 'bitmap', de: null, at: 4, read } as const
  const detail = (fault: typeof characters | typeof bitmap) => {
    const result = toRequest(read, 0, fault)
    return result.ok && result.request.format_fault
  }
  assert.deepEqual(detail(characters), { status_code: '9104', detail: 'DE18: characters' })
  assert.deepEqual(detail(bitmap), { status_code: '9104', detail: 'bitmap at byte 4' })
})

test('without a card number there is nothing to decide', () => {
  assert.deepEqual(toRequest(purchase({ 2: undefined }), 0), { ok: false, de39: '30' })
  assert.deepEqual(toRequest({ mti: '0110', fields: { 2: PAN } }, 0), { ok: false, de39: '30' })
  assert.deepEqual(toRequest({ mti: '0300', fields: { 2: PAN } }, 0), { ok: false, de39: '30' })
})
