import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ask, done, imported } from '#test/support/services/hsm.ts'
import cvvVectors from '../../../../test/vectors/cvv.json' with { type: 'json' }

// Made by an open simulator of others, under the test LMK that is published.
const CVK = 'U9B4934384B19946B040CD702B4D58145'

test('CW and CY answer as another simulator does', () => {
  assert.equal(done('CW', CVK, '4123456789012345;8701101'), '561')
  assert.equal(done('CY', CVK, '5614123456789012345;8701101'), '')
  assert.equal(ask('CY', CVK, '1114123456789012345;8701101').code, '01')
})

for (const vector of cvvVectors.vectors) {
  test(`${vector.id}: CW makes the value, CY verifies it and no other`, () => {
    const { cvk_hex, pan, expiry_as_fed, service_code, cvv } = vector
    for (const [more, end] of [
      ['', ''],
      ['%01', '%01'],
      ['#C0N00E00', ''],
    ] as const) {
      const cvk = imported('402', cvk_hex, more)
      const data = `${pan};${expiry_as_fed}${service_code}${end}`
      assert.equal(done('CW', cvk, data), cvv)
      assert.equal(done('CY', cvk, cvv, data), '')
      const wrong = String((Number(cvv) + 1) % 1000).padStart(3, '0')
      assert.equal(ask('CY', cvk, wrong, data).code, '01')
    }
  })
}

test('a card or a key of another shape has a code', () => {
  assert.equal(ask('CW', CVK, '41234567;8701101').code, '22')
  assert.equal(ask('CW', CVK, '4123456789012345;87011').code, '15')
  assert.equal(ask('CW', CVK, `${'4'.repeat(20)};8701101`).code, '15')
  const triple = imported('402', '0123456789ABCDEF1032547698BADCFE89ABCDEF01234567')
  assert.equal(ask('CW', triple, '4123456789012345;8701101').code, '27')
  const other = imported('402', '0123456789ABCDEF1032547698BADCFE', '#12N00E00')
  assert.equal(done('CW', other, '4123456789012345;8701101').length, 3)
  const zpk = imported('001', '0123456789ABCDEF1032547698BADCFE', '#P0B00E00')
  assert.equal(ask('CW', zpk, '4123456789012345;8701101').code, 'A6')
})
