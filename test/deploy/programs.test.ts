import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DrillFault } from '../../deploy/drills/fault.ts'
import { locate, run, start } from '../../deploy/drills/programs.ts'

const SERVER = `
  process.on('SIGTERM', () => process.exit(3))
  console.log('listening')
  setInterval(() => {}, 1000)`

test('a program that a drill has started is waited for, and ends with its scope', async () => {
  let ended: Promise<number | null>
  {
    await using server = start(process.execPath, ['-e', SERVER])
    await server.until(/listening/)
    ended = server.ended
  }
  assert.equal(await ended, 3)
})

test('a program that ends before it is ready is a fault that shows what it printed', async () => {
  await using failing = start(process.execPath, ['-e', 'console.error("no disk"); process.exit(2)'])
  await assert.rejects(failing.until(/ready/), (error: unknown) => {
    assert.ok(error instanceof DrillFault)
    assert.match(error.message, /ended with 2 before \/ready\/:\nno disk/)
    return true
  })
})

test('a program that fails gives its code and both outputs', () => {
  const script = 'console.log("out"); console.error("err"); process.exit(4)'
  assert.deepEqual(run(process.execPath, ['-e', script]), { code: 4, output: 'out\nerr\n' })
})

test('a program that is missing is a fault that names its package', () => {
  assert.throws(
    () => locate('bezant-no-such-program', 'some-package'),
    /bezant-no-such-program is missing\. Debian has it: apt-get install some-package/,
  )
})
