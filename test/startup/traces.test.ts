/** Spans of a started program, as a collector gets them. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { dataFolder, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { type CollectedSpan, openCollector } from '#test/support/services/collector.ts'
import { until } from '#test/support/services/receiver.ts'

/** The spans of one trace by their ids. */
const byTrace = (spans: readonly CollectedSpan[]) => [
  ...Map.groupBy(spans, ({ trace_id }) => trace_id).values(),
]

/** The names from a span up to the first of its trace. */
function pathOf(span: CollectedSpan, trace: readonly CollectedSpan[]): string[] {
  const parent = trace.find(({ span_id }) => span_id === span.parent_id)
  return parent ? [span.name, ...pathOf(parent, trace)] : [span.name]
}

for (const protocol of ['http/protobuf', 'http/json']) {
  describe(`the traces of a demo by ${protocol}`, () => {
    test('follow one payment from the payment page to its webhook, without card data', async () => {
      const [database, collector] = await Promise.all([createTestDatabase(), openCollector()])
      const DATA_DIR = dataFolder()
      const program = launch({
        DATA_DIR,
        DATABASE_URL: database.url,
        OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
        OTEL_EXPORTER_OTLP_PROTOCOL: protocol,
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20of-the-test',
      })
      try {
        await program.ready
        const demo = launch({ DATA_DIR }, ['apps/cli/bezant.mjs', 'demo'])
        assert.equal(await demo.ended, 0, demo.errors().join('\n'))
        const isPayment = (trace: readonly CollectedSpan[]) =>
          trace.some(({ name }) => /^POST .*checkout/.test(name)) &&
          ['TRANSACTION', 'ORDER_AUTHORIZED'].every((kind) =>
            trace.some(({ name }) => name === `webhook ${kind}`),
          )
        const trace = await until('the trace of a payment', () =>
          byTrace(collector.spans).find(isPayment),
        )
        const paths = trace.map((span) => pathOf(span, trace).join(' < '))
        for (const path of [
          /^port 0100 < issuer 0100 < .*POST .*checkout/,
          /^wait < authorization < port 0100/,
          /^batch < authorization < port 0100/,
          /^(select|with|insert|update) .*< batch < authorization/,
          /^answer < port 0100/,
          /^webhook TRANSACTION < authorization < port 0100/,
          /^webhook ORDER_AUTHORIZED < POST .*checkout/,
        ]) {
          assert.ok(
            paths.some((one) => path.test(one)),
            `${path}\n${paths.join('\n')}`,
          )
        }
        const [{ authorization } = {}] = collector.headers
        assert.equal(authorization, 'Bearer of-the-test')
        const { api_key } = sandboxIn(DATA_DIR).tenant
        for (const { name, text } of collector.spans) {
          assert.doesNotMatch(text, /(?<![\d.])(4|5)\d{15}(?!\d)/, name)
          assert.ok(!text.includes(api_key), name)
        }
      } finally {
        program.kill('SIGTERM')
        await program.ended
        await Promise.all([database.drop(), collector.close()])
      }
    })
  })
}
