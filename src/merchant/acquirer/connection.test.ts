import assert from 'node:assert/strict'
import { Socket } from 'node:net'
import { test } from 'node:test'
import { frame } from '#iso8583/framing.ts'
import { createLog } from '#kit/log.ts'
import { Connection } from './connection.ts'

test('messages that cannot be read cause a few lines, however many an issuer sends', () => {
  const lines: string[] = []
  const log = createLog('warn', { write: (line: string) => void lines.push(line) })
  const socket = new Socket()
  const connection = new Connection({
    host: 'issuer.example',
    port: 8583,
    dialect: 'ascii',
    header: 'binary2',
    log,
    dial: () => socket,
    onClose() {},
  })
  assert.equal(connection.isReady, false)
  for (let count = 0; count < 1000; count++) {
    socket.emit('data', frame(Buffer.from('0?00 is none'), 'binary2'))
  }
  assert.equal(lines.length, 10, lines[0])
  socket.destroy()
})
