import assert from 'node:assert/strict'
import { test } from 'node:test'
import { descriptorFaults, readDescriptor } from './descriptor.ts'

const messageOf = (descriptor: string | null, display_name = 'Souk') => {
  const faults = descriptorFaults({ descriptor, display_name })
  for (const { path } of faults) assert.equal(path, 'descriptor')
  return faults.map(({ message }) => message).join()
}

test('what is around a descriptor is cut, and its blanks are single', () => {
  assert.equal(readDescriptor('\u200f\u00a0 BAIT \u00a0 AL  QAHWA\u202c\n'), 'BAIT AL QAHWA')
  assert.equal(readDescriptor('\u200f \u200b'), '')
})

for (const good of ['A', '24', "BAIT & AL' (1)*+,-./:#@!?", 'x'.repeat(25)]) {
  test(`${good} is a descriptor`, () => assert.equal(messageOf(good), ''))
}

const wrong = [
  '',
  '*',
  '- . -',
  'x'.repeat(26),
  'متجر',
  'Café',
  'A\\B',
  'A~B',
  'A\tB',
  'A\u200fB',
  '٢٤',
]
for (const bad of wrong) {
  test(`${JSON.stringify(bad)} is no descriptor`, () => {
    assert.match(messageOf(bad), /^must be 1 to 25 Latin letters/)
  })
}

test('a merchant has to have one where nothing is left of its name', () => {
  for (const name of ['متجر', 'متجر & مقهى', '東京', '–', '٢٤']) {
    assert.match(messageOf(null, name), /^is required if `display_name` has no Latin letter/)
    assert.equal(messageOf('SOUK', name), '')
  }
  for (const name of ['Łódź', 'Işıl', 'Straße', 'Ø', '24', 'متجر Souk']) {
    assert.equal(messageOf(null, name), '')
  }
})
