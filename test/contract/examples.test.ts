/**
 * The examples of the OpenAPI documents are true: each was sent and received as it is shown, every
 * operation and event has one, and each fits the schema beside it (D-381, D-382).
 */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, describe, test } from 'node:test'
import { createAjv } from '#kit/http/schema.ts'
import { readConfig } from '#src/config/config.ts'
import { closed, faults } from '#test/support/contract/contract.ts'
import { differences, kinds, shapes } from '#test/support/contract/event_kinds.ts'
import { documentsOf } from '#test/support/contract/operations.ts'
import { BIN } from '#test/support/examples/cards.ts'
import {
  EXAMPLES_PATH,
  parseExamples,
  type Walked,
  walkExamples,
} from '#test/support/examples/examples.ts'
import { cardNumbersIn } from '#test/support/inspection/canary.ts'

const text = readFileSync(EXAMPLES_PATH, 'utf8')
const examples = parseExamples(text)
const documents = documentsOf(readConfig({}))
const [issuing] = documents
const webhooks = Object(issuing?.json['webhooks'])
const parameters = Object(issuing?.json['components']).parameters
const headerNames = Object.values<{ name: string }>(parameters).map(({ name }) => name)
const ajv = createAjv(false)
for (const { prefix, schemas } of documents) {
  ajv.addSchema(closed({ $id: prefix, components: { schemas } }, prefix))
}

let walked: Walked
before(async () => {
  walked = await walkExamples()
})

describe('the file of examples', () => {
  test('is as `npm run generate` would write it now', () => {
    const received = parseExamples(walked.text)
    const differing = (['operations', 'events'] as const).flatMap((sort) => {
      const names = new Set([...Object.keys(received[sort]), ...Object.keys(examples[sort])])
      const form = (from: typeof examples, name: string) => JSON.stringify(from[sort][name])
      return [...names].filter((name) => form(received, name) !== form(examples, name))
    })
    const message = `changed: ${differing.join(', ')}. Run: npm run generate`
    assert.deepEqual(differing, [], message)
    assert.equal(text, walked.text, message)
  })

  test('has every operation and every event that is emitted, and no other', () => {
    const operations = documents.flatMap((document) => document.operations.map(({ id }) => id))
    assert.deepEqual(Object.keys(examples.operations).sort(), operations.sort())
    assert.deepEqual(Object.keys(examples.events).sort(), Object.keys(webhooks).sort())
  })

  test('has an example for each body of a request', () => {
    const lacking = documents
      .flatMap((document) => document.operations)
      .filter(({ id, body }) => body && examples.operations[id]?.request === undefined)
    assert.deepEqual(
      lacking.filter(({ bodyRequired }) => bodyRequired).map(({ id }) => id),
      [],
    )
  })

  test('has card numbers of the test range only', () => {
    // The last groups of an id may have the digits of a number.
    const numbers = cardNumbersIn(text.replaceAll(/-[0-9a-f]{4}-[0-9a-f]{12}\b/g, ''))
    assert.ok(numbers.length > 0)
    assert.deepEqual(
      numbers.filter((number) => !number.startsWith(BIN)),
      [],
    )
  })
})

describe('the documents', () => {
  test('have examples that fit the schema beside them', () => {
    const shown = documents.flatMap(({ prefix, json }) => examplesIn(json, [prefix]))
    assert.ok(shown.length > 300, String(shown.length))
    assert.deepEqual(shown.flatMap(faultsOf), [])
  })
})

describe('the events of the story', () => {
  const bodies = () => walked.received.map(({ body }) => body)

  test('are of every kind of D-60, and the document has these and PING', () => {
    const received = [...new Set(bodies().map(({ event }) => event))].sort()
    assert.deepEqual(received, kinds.toSorted())
    assert.deepEqual(Object.keys(webhooks).sort(), [...kinds, 'PING'].sort())
  })

  test('reach a subscription as the feed has them', () => {
    const byId = new Map(bodies().map((body) => [body.id, body]))
    const listed = walked.events.filter(({ event }) => event !== 'PING')
    assert.ok(listed.length > 50, String(listed.length))
    // The subscription may have received more: the reversal of the last order is sent at the end.
    const received = listed.map(({ id }) => byId.get(id))
    assert.deepEqual(received, listed)
  })

  test('have the schema and the headers of their kind in the document', () => {
    const shown = examplesIn(webhooks, ['/v1'])
    const found = walked.received.flatMap(({ headers, body }) => {
      const own = shown.find(({ steps }) => steps.includes(body.event))
      assert.ok(own, `${body.event} is not in the document`)
      const lacking = headerNames.filter((name) => headers[name] === undefined)
      return [...faultsOf({ ...own, example: body }), ...lacking]
    })
    assert.deepEqual(headerNames, ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
    assert.deepEqual(found, [])
  })

  for (const [kind, shape] of Object.entries(shapes)) {
    test(`have the shape of D-61: ${kind}`, () => {
      const ofKind = bodies().filter(({ event }) => event === kind)
      assert.deepEqual(differences(shape, ofKind), [])
    })
  }
})

type Shown = { steps: readonly string[]; schema: unknown; example: unknown }

/** Every object that has both a schema and an example, with the steps that lead to it. */
function examplesIn(value: unknown, steps: readonly string[]): Shown[] {
  if (value === null || typeof value !== 'object') return []
  if ('schema' in value && 'example' in value)
    return [{ steps, schema: value.schema, example: value.example }]
  return Object.entries(value).flatMap(([name, part]) => examplesIn(part, [...steps, name]))
}

/** The faults of an example by the schema beside it; `steps` begin with the API. */
function faultsOf({ steps, schema, example }: Shown): string[] {
  const validate = ajv.compile(closed(schema, steps[0] ?? ''))
  return validate(example) ? [] : [`${steps.join('/')}: ${faults(validate.errors)}`]
}
