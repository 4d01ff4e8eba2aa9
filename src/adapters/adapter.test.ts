/** Which adapter provides an interface, by tables of adapters that exist only here. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KycProvider } from '#issuing/verification/provider.ts'
import { type Adapter, openProviders, readAdapters, register } from './adapter.ts'

const kyc = (name: string): KycProvider => ({
  name,
  outside: false,
  decide: async () => 'COMPLIANCE',
})

/** Configured by a variable of its name. */
const adapter = (name: string, more: Partial<Adapter<{ value: string }>> = {}) =>
  register<{ value: string }>({
    name,
    provides: ['kyc'],
    readSettings({ variable }) {
      const value = variable(name)
      return value === undefined ? undefined : { value }
    },
    describeSettings: (settings) => [[name, settings ? '****' : '(none)']],
    open: () => ({ kyc: kyc(name), slices: [{ name }] }),
    ...more,
  })

function read(env: Record<string, string>) {
  const registry = [adapter('SIMULATED', { simulated: true }), adapter('ONE'), adapter('OTHER')]
  const faults: string[] = []
  const config = readAdapters(registry, { variable: (name) => env[name], faults, live: false })
  return { ...config, faults }
}

test('without a variable no adapter is configured, and each is described', () => {
  const { configured, description, faults } = read({})
  assert.deepEqual([configured, faults], [[], []])
  assert.deepEqual(
    description.map(([name]) => name),
    ['SIMULATED', 'ONE', 'OTHER'],
  )
  assert.deepEqual(openProviders(configured), { slices: [] })
})

test('a simulated provider is used alone, and yields to another one', () => {
  const alone = openProviders(read({ SIMULATED: 'x' }).configured)
  assert.equal(alone.kyc?.name, 'SIMULATED')
  const { configured, faults } = read({ SIMULATED: 'x', ONE: 'x' })
  assert.deepEqual(faults, [])
  const both = openProviders(configured)
  assert.equal(both.kyc?.name, 'ONE')
  assert.deepEqual(
    both.slices?.map(({ name }) => name),
    ['SIMULATED', 'ONE'],
  )
})

test('two adapters of one interface are a fault that names both', () => {
  const { faults } = read({ ONE: 'x', OTHER: 'x' })
  assert.deepEqual(faults, ['ONE and OTHER both provide kyc: configure only one of them'])
})
