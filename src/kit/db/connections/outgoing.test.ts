import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serialize } from 'pg-protocol'
import { Outgoing, type Value } from './outgoing.ts'

const bound = (statement: string, values: Value[]) => serialize.bind({ statement, values })

test('a bind is that of the driver, whatever its values are', () => {
  const outgoing = new Outgoing()
  const all: Value[][] = [
    [],
    ['text', null, undefined, Buffer.of(0, 1, 255), ''],
    ['درهم €', '\u{1f4b3}'.repeat(20_000), Buffer.alloc(70_000, 7), 'behind'],
    Array.from({ length: 300 }, (_, at) => String(at)),
  ]
  for (const values of all) {
    outgoing.bind('s1', values)
    outgoing.bind('', values)
    const driver = Buffer.concat([bound('s1', values), bound('', values)])
    assert.deepEqual(outgoing.take(), driver)
  }
})

test('what was taken is not changed by what is written behind it', () => {
  const outgoing = new Outgoing()
  outgoing.add(serialize.sync())
  const first = outgoing.take()
  outgoing.bind('s1', ['x'.repeat(2_000_000)])
  assert.equal(outgoing.take().length, bound('s1', ['x'.repeat(2_000_000)]).length)
  outgoing.add(serialize.execute())
  assert.deepEqual(first, serialize.sync())
  assert.deepEqual(outgoing.take(), serialize.execute())
})

test('what a group that failed has left is not sent with the next', () => {
  const outgoing = new Outgoing()
  outgoing.add(serialize.execute())
  outgoing.begin()
  outgoing.add(serialize.sync())
  assert.deepEqual(outgoing.take(), serialize.sync())
})
