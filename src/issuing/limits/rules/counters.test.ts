import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  type HolderCounters,
  laidOver,
  mayBeApart,
  OF_HOLDER,
  storedCount,
  withCounted,
} from '../rules.ts'

const counted = (amount: bigint) => ({ l1: storedCount({ amount, number: 1 }, 'WINDOW') })
const ofChain = (at: number) => `chain ${at}`
const NOTHING: HolderCounters = { holder_id: 'account', version: 1n, counters: [] }

/** An account whose row names eight chains, and that has looked for the others of these. */
function full(looked: readonly string[] = []): HolderCounters {
  const names = Array.from({ length: 8 }, (_, at) => ofChain(at))
  const counters = names.map((name) => [name, counted(1n)] as const)
  return { ...NOTHING, counters, chains: new Map(looked.map((name) => [name, undefined])) }
}
const inRow = ({ counters }: HolderCounters) => counters.map(([name]) => name)

describe('withCounted', () => {
  test('has eight chains in the row, and those behind them apart', () => {
    let holder: HolderCounters = { ...NOTHING, chains: new Map() }
    for (let at = 0; at < 10; at++) {
      const read = {
        ...holder,
        chains: new Map([...(holder.chains ?? []), [ofChain(at), undefined]]),
      }
      holder = withCounted(read, new Map([[ofChain(at), counted(BigInt(at))]]))
    }
    assert.deepEqual(inRow(holder), inRow(full()))
    const apart = [...(holder.chains ?? [])].filter(([, counters]) => counters !== undefined)
    assert.deepEqual(apart, [
      [ofChain(8), counted(8n)],
      [ofChain(9), counted(9n)],
    ])
  })

  test('leaves a chain where it is, and the row untouched where others count', () => {
    const read = full([ofChain(8)])
    const apart = withCounted(read, new Map([[ofChain(8), counted(2n)]]))
    assert.equal(apart.counters, read.counters)
    const both = withCounted(
      apart,
      new Map([
        [ofChain(8), counted(3n)],
        [ofChain(2), counted(4n)],
      ]),
    )
    assert.deepEqual(both.chains, new Map([[ofChain(8), counted(3n)]]))
    assert.deepEqual(new Map(both.counters).get(ofChain(2)), counted(4n))
    assert.equal(both.counters.length, 8)
  })

  test('has in the row what counts over all cards, however many chains it names', () => {
    const changed = withCounted(full(), new Map([[OF_HOLDER, counted(2n)]]))
    assert.deepEqual(new Map(changed.counters).get(OF_HOLDER), counted(2n))
    const next = withCounted(
      { ...NOTHING, counters: [[OF_HOLDER, counted(1n)]], chains: new Map() },
      new Map(Array.from({ length: 8 }, (_, at) => [ofChain(at), counted(1n)])),
    )
    assert.equal(next.counters.length, 9)
  })

  test('keeps a chain that has a row of its own there, also where the row has room', () => {
    const chains = new Map([[ofChain(1), counted(1n)]])
    const changed = withCounted({ ...NOTHING, chains }, new Map([[ofChain(1), counted(2n)]]))
    assert.deepEqual(changed, { ...NOTHING, chains: new Map([[ofChain(1), counted(2n)]]) })
  })

  test('fails where a chain was not looked for that may have a row of its own', () => {
    assert.throws(() => withCounted(full(), new Map([[ofChain(8), counted(2n)]])), /was not read/)
  })

  test('has all of a user in the row', () => {
    const names = Array.from({ length: 12 }, (_, at) => [ofChain(at), counted(1n)] as const)
    assert.deepEqual(withCounted(NOTHING, new Map(names)).counters, names)
  })
})

test('a chain may have a row of its own where the row of the account is full without it', () => {
  const { counters } = full()
  assert.equal(mayBeApart(counters, ofChain(8)), true)
  assert.equal(mayBeApart(counters, ofChain(3)), false)
  assert.equal(mayBeApart([[OF_HOLDER, counted(1n)], ...counters.slice(1)], ofChain(8)), false)
})

test('a batch that has not looked for a chain leaves it as it was read', () => {
  const read = { ...full(), chains: new Map([[ofChain(8), counted(1n)]]) }
  const written = { ...full([ofChain(9)]), version: 2n }
  assert.deepEqual(laidOver(read, withCounted(written, new Map([[ofChain(9), counted(5n)]]))), {
    ...written,
    chains: new Map([
      [ofChain(8), counted(1n)],
      [ofChain(9), counted(5n)],
    ]),
  })
})
