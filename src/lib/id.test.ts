import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isId, newId } from './id.ts'

test('every id is a UUID v7 greater than the one before', () => {
  let last = ''
  for (let count = 0; count < 100_000; count += 1) {
    const id = newId()
    assert.ok(id > last, `${id} after ${last}`)
    last = id
  }
  assert.match(last, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
})

test('an id carries the time of its making', () => {
  const time = Number.parseInt(newId().replace('-', '').slice(0, 12), 16)
  assert.ok(Math.abs(time - Date.now()) < 10_000)
})

test('ids go on rising when the clock is set back', (context) => {
  context.mock.timers.enable({ apis: ['Date'], now: Date.now() + 60_000 })
  const before = newId()
  context.mock.timers.setTime(Date.now() - 30_000)
  assert.ok(newId() > before)
})

test('only canonical UUIDs are ids', () => {
  assert.ok(isId('01A1FE68-8EB9-7639-9FB4-CEA499DD03D0'))
  const others = ['', 'x', '01a1fe688eb976399fb4cea499dd03d0', `${newId()}0`, `${newId()}\n`]
  for (const text of [...others, `{${newId()}}`]) assert.ok(!isId(text), text)
})
