/** Both wrappers of data keys keep one contract; the key service fails in words. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'
import { keeper } from '#test/support/keeper.ts'
import { openTransit } from '#test/support/services/transit.ts'
import { type KeyWrapper, masterKeyWrapper } from './keyring.ts'
import { transitWrapper } from './kms.ts'

const keep = keeper()
const transit = keep(await openTransit())
const other = keep(await openTransit())
const folder = mkdtempSync(join(tmpdir(), 'bezant-kms-'))
keep({ close: () => rmSync(folder, { recursive: true }) })

const addressOf = ({ url, key, token } = transit) => ({ url, key, token: new Secret(token) })
const wrapper = transitWrapper(addressOf())
const dataKey = randomBytes(32)

const wrappers: [name: string, one: KeyWrapper, another: KeyWrapper][] = [
  ['a master key', masterKeyWrapper(randomBytes(32)), masterKeyWrapper(randomBytes(32))],
  ['a key service', wrapper, transitWrapper(addressOf(other))],
]
for (const [name, one, another] of wrappers) {
  describe(name, () => {
    test('unwraps what it wrapped, and the key is not in it', async () => {
      const wrapped = await one.wrap(dataKey, 'cards:1')
      assert.ok((await one.unwrap(wrapped, 'cards:1')).equals(dataKey))
      assert.ok(!wrapped.includes(dataKey))
      assert.ok(!wrapped.toString('latin1').includes(dataKey.toString('base64').slice(0, 40)))
    })

    test('never wraps the same key the same way', async () => {
      assert.ok(!(await one.wrap(dataKey, 'a')).equals(await one.wrap(dataKey, 'a')))
    })

    test('rejects another name, changed or foreign bytes, and another key', async () => {
      const wrapped = await one.wrap(dataKey, 'cards:1')
      await assert.rejects(one.unwrap(wrapped, 'cards:2'))
      const changed = Buffer.from(wrapped)
      changed.writeUInt8(changed.readUInt8(30) ^ 1, 30)
      await assert.rejects(one.unwrap(changed, 'cards:1'))
      await assert.rejects(one.unwrap(randomBytes(60), 'cards:1'))
      await assert.rejects(another.unwrap(wrapped, 'cards:1'))
    })
  })
}

describe('the key service is called as a transit engine', () => {
  test('with the key and what it is bound to in base64, and the token in a header', async () => {
    await wrapper.wrap(dataKey, 'cards:1')
    assert.deepEqual(transit.calls.at(-1), {
      what: 'POST /v1/transit/encrypt/bezant',
      body: {
        plaintext: dataKey.toString('base64'),
        associated_data: Buffer.from('cards:1').toString('base64'),
      },
    })
  })

  test('with the token that its file holds at that moment', async () => {
    const file = join(folder, 'token')
    const own = transitWrapper({ ...addressOf(), token: { file } })
    await assert.rejects(
      own.wrap(dataKey, 'a'),
      reported(/KMS_TOKEN_FILE cannot be read \(ENOENT\)/),
    )
    writeFileSync(file, 'old\n')
    await assert.rejects(own.wrap(dataKey, 'a'), reported(/renew KMS_TOKEN/))
    writeFileSync(file, `${transit.token}\n`)
    await own.wrap(dataKey, 'a')
  })
})

/** One line for a person, without token and key. */
const reported = (words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof StartError, String(error))
  assert.match(error.message, words)
  for (const secret of [transit.token, dataKey.toString('base64'), dataKey.toString('hex')]) {
    assert.ok(!error.message.includes(secret))
  }
  assert.ok(!error.message.includes('\n'))
  return true
}

describe('failures of the key service are reported', () => {
  const answers: [name: string, how: (response: ServerResponse) => unknown, words: RegExp][] = [
    ['sealed', (one) => one.writeHead(503).end('{"errors":["Vault is sealed"]}'), /unseal it/],
    ['failing', (one) => one.writeHead(500).end(), /answered 500: look into its log/],
    ['another program', (one) => one.end('<html>'), /not that of a transit engine/],
    ['an empty object', (one) => one.end('{}'), /not that of a transit engine/],
    ['endless', (one) => one.end('x'.repeat(100_000)), /its answer is too long/],
    ['cut', (one) => one.destroy(), /does not answer \(UND_ERR_SOCKET\)/],
    [
      'elsewhere',
      (one) => one.writeHead(307, { location: `${other.url}/v1/transit/encrypt/bezant` }).end(),
      /does not answer \(unexpected redirect\)/,
    ],
  ]
  for (const [name, how, words] of answers) {
    test(name, async () => {
      const before = other.calls.length
      transit.answer(how)
      await assert.rejects(wrapper.wrap(dataKey, 'a'), reported(words))
      transit.answer(undefined)
      assert.equal(other.calls.length, before)
    })
  }

  test('silent: given up in time', async () => {
    const impatient = transitWrapper(addressOf(), 100)
    transit.answer(() => {})
    await assert.rejects(impatient.wrap(dataKey, 'a'), reported(/no answer in time/))
    transit.answer(undefined)
  })

  test('not there, another key, another token, keys of a master key', async () => {
    const closed = await openTransit()
    await closed.close()
    const gone = transitWrapper(addressOf(closed))
    await assert.rejects(gone.wrap(dataKey, 'a'), reported(/does not answer \(ECONNREFUSED\)/))
    const unknown = transitWrapper({ ...addressOf(), key: 'nobody' })
    await assert.rejects(unknown.wrap(dataKey, 'a'), reported(/has no transit key nobody/))
    const stranger = transitWrapper({ ...addressOf(), token: new Secret('s.other') })
    await assert.rejects(
      stranger.wrap(dataKey, 'a'),
      reported(/renew KMS_TOKEN, .*encrypt\/bezant/),
    )
    const mastered = await masterKeyWrapper(randomBytes(32)).wrap(dataKey, 'a')
    await assert.rejects(wrapper.unwrap(mastered, 'a'), reported(/set MASTER_KEY instead/))
  })
})
