import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isManagement, manage, managementMessage } from './management.ts'

const message = (code: string, mti = '0800') => ({
  mti,
  fields: { 7: '0926162943', 11: '910101', 15: '0926', 33: '150793', 48: 'X', 70: code },
})

test('each network management code has its answer and its effect', () => {
  const rows: [code: string, de39: string, signed_on?: boolean][] = [
    ['001', '00', true],
    ['002', '00', false],
    ['201', '00'],
    ['301', '00'],
    ['101', '40'],
    ['161', '40'],
    ['162', '40'],
    ['081', '40'],
    ['999', '12'],
  ]
  for (const [code, de39, signed_on] of rows) {
    const managed = manage(message(code), false)
    const fields = { 7: '0926162943', 11: '910101', 15: '0926', 33: '150793', 39: de39, 70: code }
    assert.deepEqual(managed.answer, { mti: '0810', fields }, code)
    assert.equal(managed.signed_on, signed_on, code)
  }
})

test('a management message that is not whole changes nothing', () => {
  const faulty = manage(message('001'), true)
  assert.equal(faulty.answer?.fields[39], '30')
  assert.equal(faulty.signed_on, undefined)
  const { 70: _, ...fields } = message('001').fields
  assert.equal(manage({ mti: '0800', fields }, false).answer?.fields[39], '30')
})

test('an advice of network management is acknowledged as one', () => {
  assert.ok(isManagement(message('001', '0820')))
  assert.equal(manage(message('301', '0820'), false).answer?.mti, '0830')
})

test('an own echo contains the instant in UTC and a trace number of six digits', () => {
  const own = { now: new Date('2026-03-04T05:06:07.089Z'), stan: 1_000_042, institution: '9' }
  assert.deepEqual(managementMessage('301', own), {
    mti: '0800',
    fields: { 7: '0304050607', 11: '000042', 33: '9', 70: '301' },
  })
})
