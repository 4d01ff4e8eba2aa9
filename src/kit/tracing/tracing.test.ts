import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '#kit/log.ts'
import { createOutgoing } from '#kit/net/fetch.ts'
import { Secret } from '#lib/secret.ts'
import { openCollector } from '#test/support/services/collector.ts'
import { openReceiver } from '#test/support/services/receiver.ts'
import { startExport, type TracingConfig } from './otlp.ts'
import { here, inSpan, openSpan, placeOf, traceHeaders } from './tracing.ts'

const configOf = (url: string, sampler: TracingConfig['sampler']): TracingConfig => ({
  url,
  protocol: 'http/json',
  headers: { 'x-key': new Secret('of the test') },
  service_name: 'test',
  sampler,
  ratio: 1,
})

test('without an exporter there is no span, no place and no header', async () => {
  assert.equal(openSpan('nothing'), undefined)
  const found = await inSpan('nothing', {}, async () => [here(), traceHeaders()])
  assert.deepEqual(found, [undefined, {}])
})

test('a span names its parent, an outgoing call its place, and an attribute no card number', async () => {
  const [collector, receiver] = await Promise.all([openCollector(), openReceiver()])
  const lines: string[] = []
  const log = createLog('info', { write: (line) => void lines.push(line) })
  const end = startExport(configOf(collector.url, 'always_on'), '1', log)
  const outgoing = createOutgoing()
  const traceparent = `00-${'ab'.repeat(16)}-${'cd'.repeat(8)}-01`
  await inSpan('whole', { parent: placeOf({ traceparent }) }, async () => {
    log.info('within')
    const call = { url: receiver.url, headers: {}, body: '{}', allow_private: true }
    await inSpan('call', { attributes: { text: 'card 4000056655665556' } }, () =>
      outgoing.post(call),
    )
  })
  log.info('outside')
  await Promise.all([end(), outgoing.close()])
  const [call, whole] = collector.spans
  assert.deepEqual([call?.name, whole?.name], ['call', 'whole'])
  assert.deepEqual([call?.parent_id, whole?.parent_id], [whole?.span_id, 'cd'.repeat(8)])
  assert.deepEqual([call?.trace_id, whole?.trace_id], ['ab'.repeat(16), 'ab'.repeat(16)])
  const headers = receiver.received[0]?.headers
  assert.equal(headers?.['traceparent'], `00-${whole?.trace_id}-${call?.span_id}-01`)
  assert.doesNotMatch(call?.text ?? '', /4000056655665556/)
  assert.equal(collector.headers[0]?.['x-key'], 'of the test')
  const traced = lines.map((line) => JSON.parse(line).trace_id)
  assert.deepEqual(traced, ['ab'.repeat(16), undefined])
  await Promise.all([collector.close(), receiver.close()])
})

test('a collector that is out of reach holds up no end', async () => {
  const log = createLog('silent')
  const end = startExport(
    configOf('http://127.0.0.1:9/v1/traces', 'parentbased_always_on'),
    '1',
    log,
  )
  await inSpan('lost', {}, async () => {})
  await end()
  assert.equal(openSpan('after the end'), undefined)
})
