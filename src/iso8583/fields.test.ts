import assert from 'node:assert/strict'
import { test } from 'node:test'
import { vectorFiles } from '#test/support/network/iso8583_samples.ts'
import { fieldTable } from './fields.ts'

test('the table holds every field of the sample vectors as they define it', () => {
  const ours = new Map(fieldTable.map((field) => [field.de, field]))
  for (const [dialect, { field_table }] of vectorFiles) {
    for (const { de, type, max, length_prefix } of field_table) {
      const { name, shown, ...field } = ours.get(de) ?? assert.fail(`DE${de} is missing`)
      assert.deepEqual(field, { de, type, max, length_prefix }, `${dialect} ${name} ${shown}`)
    }
  }
})

test('the table holds DE 2 to 128 but 65, each once and in order', () => {
  const expected = Array.from({ length: 127 }, (_, i) => i + 2).filter((de) => de !== 65)
  assert.deepEqual(
    fieldTable.map(({ de }) => de),
    expected,
  )
})

test('what could hold card data is never shown', () => {
  const clear = fieldTable.filter(({ shown }) => shown === 'clear').map(({ de }) => de)
  const secret = [2, 14, 34, 35, 36, 45, 48, 52, 54, 55, 62, 63, 102, 103, 120, 123, 126, 127]
  assert.deepEqual(
    secret.filter((de) => clear.includes(de)),
    [],
  )
})
