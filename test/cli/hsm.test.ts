/** `bezant hsm`: the simulator of a hardware security module as a command. */

import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { until } from '#test/support/services/receiver.ts'
import { openCommand } from './running.ts'

const keep = keeper()
const command = keep(openCommand())

/** Started with these words, and what it has printed up to the text. */
async function started(words: readonly string[], text: string) {
  const child = command.start(['hsm', '--port', '0', ...words])
  keep({ [Symbol.dispose]: () => child.kill('SIGKILL') })
  let out = ''
  child.stdout.on('data', (chunk) => {
    out += chunk
  })
  await until('its first words', () => child.exitCode !== null || out.includes(text))
  return { child, out: () => out }
}

async function ended(child: ChildProcess): Promise<unknown> {
  const exited = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await exited
  return code
}

test('it says at its start that it is no module, and answers on loopback', async () => {
  const { child, out } = await started(['--header', '8', '--json'], '\n}\n')
  const { notice, ...said } = JSON.parse(out())
  assert.match(notice, /^This is a simulator and no hardware security module/)
  const [lmk] = said.lmks
  assert.deepEqual(
    { ...said, port: 0, lmks: [] },
    { format: 'hsm 1', ok: true, address: '127.0.0.1', port: 0, header: 8, delay_ms: 0, lmks: [] },
  )
  const socket = connect(said.port, '127.0.0.1')
  socket.end(Buffer.from('\0\x0a00000001NC', 'latin1'))
  const [answer] = await once(socket, 'data')
  assert.equal(answer.toString('latin1', 2), `00000001ND00${lmk.check_value}0001-S000`)
  assert.equal(await ended(child), 0)
})

test('it prints the same in sentences', async () => {
  const { child, out } = await started(['--delay-ms', '1'], 'LMK 01')
  const [notice = '', where = '', lmk = ''] = out().split('\n')
  assert.match(notice, /^This is a simulator and no hardware security module/)
  assert.match(where, /^It listens on 127\.0\.0\.1:[0-9]+; a header has 4 characters\./)
  assert.match(lmk, /^LMK 00 has the check value [0-9A-F]{16}$/)
  assert.equal(await ended(child), 0)
})

test('it does not run in live, on a port that is taken, or with other numbers', async () => {
  const live = await command.run(['hsm', '--port', '0'], { env: { MODE: 'live' } })
  assert.equal(live.code, 1)
  assert.match(live.err, /MODE is live/)
  const { child, out } = await started(['--json'], '\n}\n')
  const { port } = JSON.parse(out())
  const taken = await command.run(['hsm', '--port', String(port), '--json'])
  assert.equal(taken.code, 1)
  assert.equal(JSON.parse(taken.out).ok, false)
  assert.match(taken.err, /cannot be had \(EADDRINUSE\)/)
  assert.equal(await ended(child), 0)
  for (const words of [['--port', '70000'], ['--header', '-1'], ['--delay-ms', '1.5'], ['--lmk']]) {
    assert.equal((await command.run(['hsm', ...words])).code, 2, words.join(' '))
  }
})
