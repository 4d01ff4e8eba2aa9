/** A person who has signed in before is not kept out by a crowd of strangers (D-977). */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { memberWith, openBrowser, PASSWORD, someEmail } from '#test/support/portal/browser.ts'
import { openWorld } from '#test/support/world.ts'
import { type Asker, inPlace } from './places.ts'

const keep = keeper()
const world = keep(await openWorld())

/** Fills the places and the queue with strangers until they are let go. */
function crowd() {
  const { promise, resolve } = Promise.withResolvers<void>()
  const all = Array.from({ length: 102 }, () => inPlace('STRANGER', () => promise))
  return { all, resolve }
}

test('while strangers fill the hashing, an address that has signed in before signs in', async () => {
  const { email, browser } = await memberWith(world, 'owner', world.tenant.id)
  await browser.ask('DELETE', '/portal/v1/session')
  const { all, resolve } = crowd()
  const ask = (by: typeof browser, address: string) =>
    by.ask('POST', '/portal/v1/sessions', { email: address, password: PASSWORD })
  const known = ask(browser, email)
  for (const [at, address] of [email, someEmail()].entries()) {
    const { status, body } = await ask(openBrowser(world, `198.51.100.${at}`), address)
    assert.deepEqual([status, body.code], [503, 'unavailable'])
  }
  resolve()
  assert.equal((await known).status, 201)
  await Promise.all(all)
})

test('one who is known does not fill the queue of the others who are', async () => {
  const { email, browser } = await memberWith(world, 'owner', world.tenant.id)
  const { promise, resolve } = Promise.withResolvers<void>()
  const flood = Array.from({ length: 102 }, () =>
    inPlace('KNOWN', () => promise, 'a session').catch(({ code }) => code),
  )
  const known = browser.ask('POST', '/portal/v1/sessions', { email, password: PASSWORD })
  assert.equal(await Promise.race([known.then(({ status }) => status), ...flood]), 'unavailable')
  await assert.rejects(
    inPlace('KNOWN', () => promise, 'a session'),
    { code: 'unavailable' },
  )
  resolve()
  assert.equal((await known).status, 201)
  assert.equal((await Promise.all(flood)).filter((code) => code === 'unavailable').length, 1)
})

test('refused sign-ins cannot fill the log: a few warnings without a stack', async () => {
  const { all, resolve } = crowd()
  const before = world.logged.length
  const refused = Array.from({ length: 60 }, (_, at) =>
    openBrowser(world, `203.0.113.${at}`).ask('POST', '/portal/v1/sessions', {
      email: someEmail(),
      password: PASSWORD,
    }),
  )
  for (const { status } of await Promise.all(refused)) assert.equal(status, 503)
  resolve()
  await Promise.all(all)
  const lines = world.logged
    .slice(before)
    .map((line) => JSON.parse(line))
    .filter(({ level }) => level !== 'debug')
  assert.ok(lines.length > 0 && lines.length <= 10, String(lines.length))
  for (const { level, err, reason, route } of lines) {
    assert.deepEqual([level, err, route], ['warn', undefined, '/portal/v1/sessions'])
    assert.match(reason, /Too many people sign in/)
  }
})

test('of two turns one is of those who are known, and one of the strangers', async () => {
  const { promise, resolve } = Promise.withResolvers<void>()
  const busy = [1, 2].map(() => inPlace('STRANGER', () => promise))
  const order: string[] = []
  const four = (asker: Asker): Asker[] => [asker, asker, asker, asker]
  const askers = [...four('STRANGER'), ...four('KNOWN')]
  const all = askers.map((asker) => inPlace(asker, async () => void order.push(asker[0] ?? '')))
  resolve()
  await Promise.all([...busy, ...all])
  assert.match(order.join(''), /^((KS){4}|(SK){4})$/)
})
