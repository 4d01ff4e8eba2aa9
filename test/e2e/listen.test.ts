import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { transact } from '#kit/context.ts'
import { emit } from '#kit/db/outbox.ts'
import { newId } from '#lib/id.ts'
import { madeUpEvent } from '#test/support/events.ts'
import { dataFolder, launch } from '#test/support/process.ts'
import { openReceiver, until } from '#test/support/receiver.ts'
import { openWorld } from '#test/support/world.ts'
import { listenTo, type Source } from '../../tools/listen/events.ts'
import { readOptions } from '../../tools/listen/options.ts'

const world = await openWorld()
const url = await world.app.listen({ host: '127.0.0.1', port: 0 })
const receiver = await openReceiver()
after(async () => {
  await receiver.close()
  await world.sweeper.stop()
  await world[Symbol.asyncDispose]()
})

const DATA_DIR = dataFolder()
const listen = (...options: string[]) => launch({ DATA_DIR }, ['tools/listen.ts', ...options])
const send = async (event: Parameters<typeof madeUpEvent>[0], at: number) => {
  const ctx = await world.ctx()
  await transact(ctx, (tx) => emit(tx, madeUpEvent(event, newId(), { at, text: 'é\n' })))
}
const KEY = ['--url', url, '--key', world.tenant.api_key]

test('npm run listen forwards what comes, signed, and sums it up at Ctrl-C', async () => {
  world.sweeper.start()
  await send('TRANSACTION', 0)
  const forwarding = ['--forward-to', receiver.url, '--events', 'TRANSACTION,pin_change']
  const tool = listen(...KEY, ...forwarding)
  const printed = (text: RegExp) => until(String(text), () => text.exec(tool.output()))
  const [, secret = ''] = await printed(/signed with (whsec_\S+)/)
  await send('TRANSACTION', 1)
  await send('EXPIRED_AUTH', 2)
  await until('the first is forwarded', () => receiver.received.length === 1)
  receiver.answer(500)
  await send('PIN_CHANGE', 3)
  await printed(/PIN_CHANGE +\S{36} {2}500 in \d+ ms/)
  await receiver.close()
  await send('TRANSACTION', 4)
  await printed(/nothing listens at http:\/\/127\.0\.0\.1:\d+ in \d+ ms/)
  tool.kill('SIGINT')
  assert.equal(await tool.ended, 0)
  assert.match(tool.output(), /\n3 events: 1 forwarded, 2 failed\n$/)
  assert.deepEqual(tool.errors(), [])

  const feed = (await world.request('GET', '/v1/events')).body.data
  const [first, second] = receiver.received
  assert.deepEqual([first?.body, second?.body], [feed[1], feed[3]])
  const headers = first?.headers as Record<string, string>
  assert.deepEqual(new Webhook(secret).verify(first?.text ?? '', headers), feed[1])
})

test('npm run listen states what to do where its options are not enough', () => {
  const cases: [options: string[], line: RegExp][] = [
    [[], /sandbox\.json does not exist: start the server \(npm start\), or give --url/],
    [['--url', url], /give --key for http/],
    [[...KEY, '--tenant', newId()], /--tenant is for the sandbox of DATA_DIR/],
    [[...KEY, '--forward-to', 'ftp://a'], /--forward-to ftp:\/\/a is not an http address/],
    [[...KEY, '--secret', 'short'], /--secret is not whsec_/],
    [[...KEY, '--what'], /Unknown option '--what'/],
  ]
  for (const [options, message] of cases) {
    assert.throws(() => readOptions(options, DATA_DIR), { message })
  }
})

test('npm run listen ends where the platform does not answer, or not with events', async () => {
  const { signal } = new AbortController()
  const source = { url, key: world.tenant.api_key, after: 'latest', signal, onConnection() {} }
  const cases: [part: Partial<Source>, line: RegExp][] = [
    [{ url: 'http://127.0.0.1:1' }, /127\.0\.0\.1:1 does not answer: start the server/],
    [{ key: `${source.key}x` }, /does not know this API key/],
    [{ after: newId() }, /answered 400: .*list again without it/],
  ]
  for (const [part, message] of cases) {
    await assert.rejects(listenTo({ ...source, ...part }).next(), { message })
  }
})
