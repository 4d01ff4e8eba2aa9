import assert from 'node:assert/strict'
import { test } from 'node:test'
import { launch } from './launch.ts'

const script = (text: string) => launch(process.execPath, ['--input-type=module', '--eval', text])
const GOES_ON = 'setInterval(() => {}, 1_000)'

test('a program is waited for until it has printed what matches, on either stream', async () => {
  await using one = script(`console.log('a'); console.error('it is ready'); ${GOES_ON}`)
  await one.until(/ is ready$/m)
  assert.deepEqual([one.output(), one.errors()], ['a\n', 'it is ready\n'])
  assert.match(one.text(), /^a$/m)
  // Text that has come already is not waited for.
  await one.until(/^a$/m)
})

test('a wait fails with all that was printed where the program ends before', async () => {
  await using one = script(`console.error('why it ends'); process.exitCode = 3`)
  await assert.rejects(one.until(/ready/), /ended with 3 before \/ready\/:\nwhy it ends\n$/)
  assert.equal(await one.ended, 3)
})

test('a wait fails where nothing that matches has come in time', async () => {
  await using one = script(GOES_ON)
  await assert.rejects(one.until(/ready/, 1), /was not ready after 1 ms, before \/ready\/:\n$/)
})

test('a program that is not there has ended with 1, and says why', async () => {
  const one = launch('/nowhere/program', [])
  assert.equal(await one.ended, 1)
  assert.match(one.text(), /ENOENT/)
})

test('a program ends at its disposal', async () => {
  const one = script(GOES_ON)
  await one[Symbol.asyncDispose]()
  assert.equal(await one.ended, null)
})
