/** Which adapter provides an interface, by tables of adapters that exist only here. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import type { KycProvider } from '#issuing/verification/provider.ts'
import { openProviders, readAdapters, register } from './adapter.ts'

const kyc = (name: string): KycProvider => ({
  name,
  outside: false,
  decide: async () => ({ result: 'COMPLIANCE', matches: [] }),
})

/** Configured by a variable of its name. */
const adapter = (name: string) =>
  register({
    name,
    provides: ['kyc'],
    variables: Type.Object({ [name]: Type.Optional(Type.String()) }),
    settingsOf: ({ [name]: value }) => (value === undefined ? undefined : { value }),
    open: () => ({ kyc: kyc(name), slices: [{ name }] }),
  })

function read(env: Record<string, string>) {
  const registry = [adapter('ONE'), adapter('OTHER')]
  const faults: string[] = []
  return { configured: readAdapters(registry, env, { faults, live: false }), faults }
}

test('without a variable no adapter is configured', () => {
  const { configured, faults } = read({})
  assert.deepEqual([configured, faults], [[], []])
  assert.deepEqual(openProviders(configured, {}), { slices: [] })
})

test('a simulated provider is used alone, and yields to an adapter', () => {
  const simulated = { kyc: kyc('SIMULATED') }
  assert.equal(openProviders(read({}).configured, simulated).kyc?.name, 'SIMULATED')
  const { configured, faults } = read({ ONE: 'x' })
  assert.deepEqual(faults, [])
  const both = openProviders(configured, simulated)
  assert.equal(both.kyc?.name, 'ONE')
  assert.deepEqual(
    both.slices?.map(({ name }) => name),
    ['ONE'],
  )
})

test('two adapters of one interface are a fault that names both', () => {
  const { faults } = read({ ONE: 'x', OTHER: 'x' })
  assert.deepEqual(faults, ['ONE and OTHER both provide kyc: configure only one of them'])
})
