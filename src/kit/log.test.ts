import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { newId } from '#lib/id.ts'
import { Secret } from '#lib/secret.ts'
import { createLog, redact } from './log.ts'

/** Known to pass the Luhn check, and none of a real card. */
const PAN = '4000056655665556'

function written(work: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  work(createLog('trace', { write: (line: string) => lines.push(line) }))
  return lines.join('')
}

describe('redact', () => {
  const hidden = [
    'apikey', 'Authorization', 'cookie', 'set-cookie', 'password', 'basic_auth_password', 'secret',
    'client_secret', 'sdk_token', 'token', 'private_key', 'pan', 'card_number', 'cvv', 'cvv2',
    'pin', 'enc_pin', 'pin_block', 'track2', 'master_key', 'MASTER_KEY', 'custom_headers',
    'x-bezant-idempotency-key',
  ] // biome-ignore format: names read best in lines.
  for (const name of hidden) {
    test(`stars what is named ${name}, at any depth`, () => {
      assert.deepEqual(redact({ [name]: 'canary' }), { [name]: '****' })
      assert.ok(
        !JSON.stringify(redact({ a: [{ b: { [name]: { c: 'canary' } } }] })).includes('can'),
      )
    })
  }

  test('leaves names that only resemble secrets', () => {
    const row = { spin: 1, panel: 'a', card_id: 'b', pinned: true, hint: 'bz_1…2' }
    assert.deepEqual(redact(row), row)
  })

  const numbers = [PAN, '4000 0566 5566 5556', '4000-0566-5566-5556', `a${PAN}b`, `=${PAN}&x=1`]
  for (const text of numbers) {
    test(`stars the card number in ${text}`, () => {
      assert.ok(!/\d{4}/.test(String(redact({ text }) && JSON.stringify(redact({ text })))))
    })
  }

  test('leaves long numbers that are no card number, and ids', () => {
    for (const text of ['1234567890123456', '0197f0a0-7c1e-7000-8000-000000000001', '2026-11-21']) {
      assert.equal(redact(text), text)
    }
  })

  test('logs every id of this platform whole, also beside a card number', () => {
    const ids = Array.from({ length: 5_000 }, newId)
    assert.deepEqual(redact(ids), ids)
    const [id = ''] = ids
    assert.equal(redact(`card ${PAN}, id ${id}`), `card ****, id ${id}`)
    // A number does not hide in a text that only looks like an id.
    assert.doesNotMatch(String(redact(`40000566-5566-5556-8000-${'a'.repeat(12)}`)), /5566/)
  })

  test('stars a card number beside other digits', () => {
    for (const text of [`1${PAN}`, `${PAN}9`, `000000${PAN}`, `1 ${PAN} 2`]) {
      assert.ok(!JSON.stringify(redact(text)).includes(PAN), text)
    }
  })

  test('stars a card number that is a number, and one that is the name of a member', () => {
    for (const value of [Number(PAN), -Number(PAN), BigInt(PAN)]) {
      assert.deepEqual(redact({ value }), { value: '****' })
    }
    assert.ok(!JSON.stringify(redact({ [PAN]: 1 })).includes(PAN))
  })

  test('bytes are logged by their length only', () => {
    assert.ok(!JSON.stringify(redact({ data: Buffer.from(PAN) })).includes('52'))
  })

  test('a value that holds itself, or is very deep, ends', () => {
    const loop: Record<string, unknown> = {}
    loop['self'] = loop
    assert.ok(JSON.stringify(redact(loop)).length < 1000)
  })

  test('a database error is logged with its code and message, not the values that it quotes', () => {
    const error = Object.assign(new Error('duplicate key'), {
      code: '23505',
      detail: 'Key (a)=(b)',
    })
    const reported = JSON.stringify(redact(new Error('outer', { cause: error })))
    assert.match(reported, /23505/)
    assert.match(reported, /duplicate key/)
    assert.ok(!reported.includes('Key (a)'))
  })
})

describe('createLog', () => {
  test('writes lines of JSON with their level and time, without card data anywhere', () => {
    const text = written((log) => {
      log.info({ cvv2: '123', note: `paid with ${PAN}` }, `card ${PAN} was used`)
      log.error({ err: new Error(`no card ${PAN}`) }, 'failed')
      log.warn(`only text ${PAN}`)
      log.child({ pan: PAN, about: PAN }).info('from a child')
      log.info(new Error(`bare ${PAN}`))
      log.info('formatted %s %o', PAN, { pin: '1234', text: PAN })
      log.info({ value: new Secret(PAN) }, 'wrapped')
    })
    assert.ok(!text.includes(PAN))
    assert.ok(!/"123"|"1234"/.test(text))
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line))
    assert.equal(lines.length, 7)
    assert.equal(lines[0].level, 'info')
    assert.equal(lines[0].msg, 'card **** was used')
    assert.ok(Date.parse(lines[0].time) > 0)
  })

  test('a line break in a value cannot forge a line', () => {
    const text = written((log) => log.info({ name: 'a\n{"level":"info"}' }, 'b\r\n\u001b[31mc'))
    assert.equal(text.trim().split('\n').length, 1)
    assert.ok(!text.includes('\u001b'))
  })
})
