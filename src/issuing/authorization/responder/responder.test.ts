import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { createOutgoing } from '#kit/net/fetch.ts'
import { openReceiver, until } from '#test/support/services/receiver.ts'
import { Places } from './places.ts'
import { type Inquiry, Responder } from './responder.ts'

const receiver = await openReceiver()
const outgoing = createOutgoing({ connections: null })
const responder = new Responder(outgoing)
after(async () => {
  await outgoing.close()
  await receiver.close()
})

const inquiry = (tenant_id: string): Inquiry => ({
  tenant_id,
  id: 'question',
  body: '{}',
  allow_private: true,
  keys: () => [],
  settings: { url: receiver.url, timeout_ms: 3_000, default_action: 'DECLINE' },
  requested: { amount: 100n, currency: 'AED' },
  real_now: new Date(),
})

async function failureOf(question: Inquiry) {
  const verdict = await responder.ask(question)
  assert.ok(verdict.kind === 'default')
  return verdict
}

test('many questions of one tenant are asked in turn, and delay no other tenant', async () => {
  const narrow = new Responder(outgoing, new Places({ all: 16, of_tenant: 4 }))
  const waiting: (() => void)[] = []
  receiver.answer((response) => waiting.push(() => response.end('{"approved":true}')))
  const many = Promise.all(Array.from({ length: 12 }, () => narrow.ask(inquiry('slow'))))
  await until('questions', () => waiting.length === 4)
  receiver.answer((response) => response.end('{"approved":true}'))
  assert.equal((await narrow.ask(inquiry('quick'))).kind, 'answered')
  assert.equal(waiting.length, 4, 'the others wait for a place')
  for (const reply of waiting) reply()
  const ends = (await many).map(({ kind }) => kind)
  assert.deepEqual(new Set(ends), new Set(['answered']))
  assert.ok(receiver.most() <= 5, `${receiver.most()} at one time`)
})

test('failures open the breaker of their tenant and URL alone', async () => {
  receiver.answer(500)
  for (let at = 0; at < 5; at += 1) {
    const { cause } = await failureOf(inquiry('failing'))
    assert.equal(cause, 'HTTP 500')
  }
  assert.equal((await failureOf(inquiry('failing'))).cause, 'breaker open')
  assert.equal((await failureOf(inquiry('another'))).cause, 'HTTP 500')
  const usual = inquiry('failing')
  const settings = { ...usual.settings, url: `${receiver.url}?other` }
  assert.equal((await failureOf({ ...usual, settings })).cause, 'HTTP 500')
})

test('a secret that cannot be read is the default action, and nothing is sent', async () => {
  const before = receiver.received.length
  const keys = () => {
    throw new Error('no key')
  }
  const { cause } = await failureOf({ ...inquiry('unsigned'), keys })
  assert.equal(cause, 'the secret cannot be read')
  assert.equal(receiver.received.length, before)
})

describe('places', () => {
  test('beyond those of a tenant wait their turn, and are given up in time', async () => {
    const places = new Places()
    const taken = Array.from({ length: 256 }, () => places.take('one', 0))
    assert.ok((await Promise.all(taken)).every((isTaken) => isTaken))
    assert.equal(await places.take('one', 1), false)
    const next = places.take('one', 3_000)
    assert.ok(await places.take('other', 0), 'another tenant has its own')
    places.leave('one')
    assert.ok(await next)
  })

  test('of one tenant are never more than half of what others have left', async () => {
    const places = new Places()
    const takes = async (tenant: string) => {
      let count = 0
      while (await places.take(tenant, 0)) count += 1
      return count
    }
    const counts: number[] = []
    for (let tenant = 0; tenant < 8; tenant += 1) counts.push(await takes(`tenant ${tenant}`))
    assert.deepEqual(counts.slice(0, 2), [256, 256])
    assert.ok(
      counts.every((count) => count > 0),
      String(counts),
    )
  })
})
