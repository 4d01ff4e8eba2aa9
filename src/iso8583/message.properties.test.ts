import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { messages, seed, vectorFiles } from '#test/support/network/iso8583_samples.ts'
import { describe, describeFault } from './describe.ts'
import type { DialectName } from './dialects.ts'
import { decode, encode } from './message.ts'

/** Hangs would show here: the whole takes a second or two. */
const timeout = 60_000

/** Any answer is fine but an exception; a message that was accepted must survive the way back. */
function survives(bytes: Buffer, dialect: DialectName): void {
  const before = bytes.toString('hex')
  const decoded = decode(bytes, dialect)
  assert.equal(bytes.toString('hex'), before)
  if (decoded.ok) {
    assert.deepEqual(decode(encode(decoded.message, dialect), dialect), decoded)
    assert.match(describe(decoded.message), /^[ -~]+$/)
  } else {
    assert.ok(decoded.fault.at <= bytes.length)
    assert.match(describeFault(decoded.fault), /^[ -~]+$/)
  }
}

type Edit = { at: number; remove: number; insert: Uint8Array }

const edits = fc.array(
  fc.record({
    at: fc.nat(600),
    remove: fc.nat(3),
    insert: fc.uint8Array({ maxLength: 3 }),
  }),
  { minLength: 1, maxLength: 4 },
)

function edited(bytes: Buffer, changes: readonly Edit[]): Buffer {
  return changes.reduce((changed, { at, remove, insert }) => {
    const place = at % (changed.length + 1)
    return Buffer.concat([changed.subarray(0, place), insert, changed.subarray(place + remove)])
  }, bytes)
}

for (const [dialect, { vectors }] of vectorFiles) {
  const samples = fc.constantFrom(...vectors.map(({ hex }) => Buffer.from(hex, 'hex')))

  test(`${dialect}: every message of the field table comes back as it went`, { timeout }, (t) => {
    t.diagnostic(`SEED=${seed}`)
    const comesBack = fc.property(messages, (message) => {
      assert.deepEqual(decode(encode(message, dialect), dialect), { ok: true, message })
    })
    fc.assert(comesBack, { seed, numRuns: 200 })
  })

  test(`${dialect}: no bytes make it throw`, { timeout }, (t) => {
    t.diagnostic(`SEED=${seed}`)
    const any = fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes))
    fc.assert(
      fc.property(any, (bytes) => survives(bytes, dialect)),
      { seed, numRuns: 500 },
    )
  })

  test(`${dialect}: no edit of a good message makes it throw`, { timeout }, (t) => {
    t.diagnostic(`SEED=${seed}`)
    const any = fc.tuple(samples, edits).map(([bytes, changes]) => edited(bytes, changes))
    fc.assert(
      fc.property(any, (bytes) => survives(bytes, dialect)),
      { seed, numRuns: 1_000 },
    )
  })

  test(`${dialect}: any bitmap over any text is answered`, { timeout }, (t) => {
    t.diagnostic(`SEED=${seed}`)
    const mti = encode({ mti: '0100', fields: {} }, 'ascii').subarray(0, 4)
    const hex = fc.uint8Array({ minLength: 16, maxLength: 16 })
    const any = fc.tuple(hex, fc.string({ maxLength: 2_000 })).map(([bits, text]) => {
      const upper = Buffer.from(bits).toString('hex').toUpperCase()
      return Buffer.concat([mti, Buffer.from(upper + text, 'latin1')])
    })
    fc.assert(
      fc.property(any, (bytes) => survives(bytes, dialect)),
      { seed, numRuns: 300 },
    )
  })
}
