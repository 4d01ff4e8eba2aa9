/** Certificates that are renewed, or not, while the program runs (D-145, D-550). */

import assert from 'node:assert/strict'
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { createLog } from '#kit/log.ts'
import { certificate } from '#test/support/services/certificates.ts'
import { until } from '#test/support/services/receiver.ts'
import { type Pair, type PairFiles, readPair } from './certificates.ts'
import { watchPair } from './renewal.ts'

const NOW = new Date('2026-06-01T00:00:00Z')
const DAY_MS = 86_400_000

type Name = 'expired' | 'later' | 'renewed' | 'server'

/** The files of a test, with the pair of that name in them. */
function filesWith(name: Name): PairFiles {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-tls-'))
  after(() => rmSync(folder, { recursive: true }))
  const files = {
    cert: { name: 'TLS_CERT', path: join(folder, 'cert.pem') },
    key: { name: 'TLS_KEY', path: join(folder, 'key.pem') },
    ca: null,
  }
  put(files, name)
  return files
}

function put({ cert, key }: PairFiles, name: Name): void {
  replace(cert.path, certificate(`${name}.pem`))
  replace(key.path, certificate(`${name}.key`))
}

/** Replaces the file at once, so that no look finds half of it. */
function replace(path: string, bytes: Uint8Array): void {
  writeFileSync(`${path}.new`, bytes)
  renameSync(`${path}.new`, path)
}

/** Watches with a clock that the test moves, until the test ends. */
function watch(files: PairFiles) {
  const used: Pair[] = []
  const lines: string[] = []
  const clock = { now: NOW }
  const write = (line: string) => {
    const { level, msg, reason }: Record<string, string> = JSON.parse(line)
    lines.push(`${level}: ${msg}${reason ? ` (${reason})` : ''}`)
  }
  const stop = watchPair({
    files,
    pair: readPair(files, NOW),
    log: createLog('debug', { write }),
    time: () => clock.now,
    use: (pair) => used.push(pair),
    look_ms: 5,
  })
  after(stop)
  const line = (pattern: RegExp) =>
    until(String(pattern), () => lines.some((one) => pattern.test(one)))
  return { used, lines, clock, line, stop }
}

describe('a pair of files', () => {
  test('is used once both are renewed, and reported once while only one is', async () => {
    const files = filesWith('server')
    const { used, lines, line } = watch(files)
    replace(files.cert.path, certificate('renewed.pem'))
    await line(/^warn: TLS_CERT .* was not replaced.*TLS_KEY .* is not the key of TLS_CERT/)
    assert.equal(used.length, 0)
    replace(files.key.path, certificate('renewed.key'))
    await line(/^info: TLS_CERT .* was read again and is in use/)
    assert.deepEqual(
      used.map(({ cert }) => cert),
      [certificate('renewed.pem')],
    )
    assert.equal(lines.length, 2)
  })

  test('is not used while one is half written, is removed or is no certificate', async () => {
    const files = filesWith('server')
    const { used, line } = watch(files)
    writeFileSync(files.cert.path, certificate('renewed.pem').subarray(0, 200))
    await line(/holds no certificate in PEM/)
    rmSync(files.cert.path)
    await line(/cannot be read \(ENOENT\)/)
    writeFileSync(files.cert.path, certificate('server.pem'))
    writeFileSync(files.key.path, certificate('server.key').subarray(0, 100))
    await line(/holds no private key in PEM/)
    assert.equal(used.length, 0)
    put(files, 'renewed')
    await until('the whole pair is in use', () => used.length === 1)
  })

  test('is not used when it has expired or is not valid yet', async () => {
    const files = filesWith('server')
    const { used, line } = watch(files)
    put(files, 'expired')
    await line(/was not replaced.*expired on 2020-12-31T00:00:00Z: renew it/)
    put(files, 'later')
    await line(/was not replaced.*is valid from 2118-01-01T00:00:00Z on/)
    assert.equal(used.length, 0)
  })

  test('is not read once the watch has ended', async () => {
    const files = filesWith('server')
    const ended = watch(files)
    ended.stop()
    const other = watch(files)
    put(files, 'renewed')
    await until('the other has it', () => other.used.length === 1)
    assert.equal(ended.used.length, 0)
  })
})

describe('a certificate that ends', () => {
  test('is reported 30 and 7 days before, and when it has, once each', async () => {
    const files = filesWith('server')
    const { lines, clock, line } = watch(files)
    const { ends } = readPair(files, NOW)
    const before = (days: number) => new Date(ends.getTime() - days * DAY_MS)
    const expiring = () => lines.filter((one) => /^warn: .* expires on 2119-12-31/.test(one)).length
    clock.now = before(29.5)
    await until('30 days before', () => expiring() === 1)
    clock.now = before(6.5)
    await until('7 days before', () => expiring() === 2)
    clock.now = ends
    await line(/^error: TLS_CERT .* has expired: clients reject it until it is renewed/)
    assert.equal(lines.length, 3)
  })

  test('that has little time left when the program starts is reported once', async () => {
    const files = filesWith('server')
    const { lines, clock, line } = watch(files)
    clock.now = new Date(readPair(files, NOW).ends.getTime() - DAY_MS)
    await line(/expires on/)
    clock.now = new Date(clock.now.getTime() + DAY_MS)
    await line(/has expired/)
    assert.equal(lines.length, 2)
  })
})
