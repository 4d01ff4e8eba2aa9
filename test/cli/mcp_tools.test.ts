/** The tools of `bezant mcp`, against the document that they are made of. No platform runs. */

import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { type OpenApi, operationsIn, referredIn, type Schema } from '#lib/openapi.ts'
import { keeper } from '#test/support/keeper.ts'
import { readApi } from '../../apps/cli/mcp/operations/operations.ts'
import { withoutSecrets } from '../../apps/cli/mcp/operations/secrets.ts'
import { select } from '../../apps/cli/mcp/tools/selection.ts'
import { kinds } from '../../apps/cli/trigger/kinds.ts'
import document from '../../docs/openapi/issuing.json' with { type: 'json' }
import { openAgent } from './agent.ts'
import { openCommand } from './running.ts'

// Its shape is openapiOf's.
const issuing = document as unknown as OpenApi
const documented = operationsIn(issuing).map(({ path, method, operation }) => ({
  ...operation,
  path,
  method,
}))
const byId = new Map(documented.map((one) => [one.operationId, one]))

/** Nothing listens there. */
const NOWHERE = { BEZANT_URL: 'http://127.0.0.1:9', BEZANT_KEY: 'a-key-of-nobody' }
const keep = keeper()
const command = keep(openCommand(NOWHERE))
const usual = keep(await openAgent(command.environment))
const everything = keep(await openAgent(command.environment, ['--only', 'all', '--write']))
const { tools: usualTools } = await usual.client.listTools()
const { tools: allTools } = await everything.client.listTools()
const namesOf = (tools: readonly { name: string }[]) => tools.map(({ name }) => name)

/** Operations that no agent is offered, and the reasons (D-843). */
const WITHHELD: Readonly<Record<string, RegExp>> = {
  revealCard: /card data/,
  revealToken: /card data/,
  createWidgetToken: /card data/,
  changePin: /PIN/,
  provisionCard: /card data/,
  uploadIdentificationFiles: /files/,
  uploadIdentificationFilesByPost: /files/,
  browseIdentificationFile: /file/,
  downloadIdentificationFile: /file/,
  uploadDisputeFiles: /files/,
  uploadDisputeFilesByPut: /files/,
  browseDisputeFile: /file/,
  downloadDisputeFile: /file/,
  importClearing: /files/,
  downloadClearingExport: /file/,
  rotateWebhookSecret: /secret/,
  rotateResponderSecret: /secret/,
  answerChallenge: /proves/,
  approveChallenge: /proves/,
  getChallenge: /proves/,
  createTenant: /API key/,
  createApiKey: /API key/,
  createMerchantKey: /private key/,
  importKeyAsOperator: /key/,
  setKeyBlockProtectionKeyAsOperator: /key/,
  listMails: /sign in/,
}

/** The schema that a reference names. */
const followed = (schema: Schema): Schema =>
  issuing.components.schemas[referredIn(schema) ?? ''] ?? schema

/** Every word of a schema's properties, at any depth. */
function namesIn(schema: unknown, seen: readonly string[] = []): string[] {
  if (Array.isArray(schema)) return schema.flatMap((one) => namesIn(one, seen))
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([word, value]) => {
    if (word === 'properties')
      return [...Object.keys(value), ...namesIn(Object.values(value), seen)]
    if (word !== '$ref') return namesIn(value, seen)
    const name = referredIn({ $ref: String(value) }) ?? ''
    return seen.includes(name) ? [] : namesIn(issuing.components.schemas[name], [...seen, name])
  })
}

describe('the tools of an agent', () => {
  test('are the most used reads and the directory of the others, where nothing is said', () => {
    assert.ok(usualTools.length <= 25, `${usualTools.length} tools`)
    const expected = ['getCard', 'listTransactions', 'explain_transaction', 'search_operations']
    for (const name of [...expected, 'describe_operation', 'call_operation']) {
      assert.ok(namesOf(usualTools).includes(name), name)
    }
    for (const { name, annotations } of usualTools) {
      assert.equal(annotations?.readOnlyHint, true, name)
      const one = byId.get(name)
      if (one) assert.equal(one['x-permission'], 'read', name)
    }
  })

  test('are every operation but those of card data, files and keys with --only all --write', () => {
    const offered = namesOf(allTools).filter((name) => byId.has(name))
    const expected = documented
      .filter((one) => !(one.operationId in WITHHELD) && one['x-permission'] !== 'operator')
      .map(({ operationId }) => operationId)
    assert.deepEqual(offered.toSorted(), expected.toSorted())
    assert.deepEqual(
      namesOf(allTools).filter((name) => !byId.has(name)),
      ['explain_transaction', 'trigger'],
    )
  })

  test('have the names, titles and descriptions of the document', () => {
    for (const { name, title, description } of allTools) {
      const one = byId.get(name)
      assert.match(name, /^[a-zA-Z0-9_-]{1,64}$/)
      if (one)
        assert.deepEqual(
          { title, description },
          { title: one.summary, description: one.description },
        )
      else assert.ok(description, name)
    }
  })

  test('have valid JSON schemas, without references, that take nothing unknown', () => {
    const ajv = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false })
    addFormats.default(ajv)
    for (const { name, inputSchema } of [...allTools, ...usualTools]) {
      assert.ok(!JSON.stringify(inputSchema).includes('$ref'), name)
      assert.doesNotThrow(() => ajv.compile(inputSchema), name)
      assert.equal(inputSchema['additionalProperties'], false, name)
      for (const argument of Object.keys(inputSchema.properties ?? {})) {
        assert.match(argument, /^[a-zA-Z0-9_.-]{1,64}$/, name)
      }
    }
  })

  test('require what the document requires, and keep its limits', () => {
    for (const { name, inputSchema } of allTools) {
      const one = byId.get(name)
      if (!one) continue
      const { parameters, requestBody } = one
      const body = followed(requestBody?.content['application/json']?.schema ?? {})
      const of = parameters.filter(({ required }) => required).map((parameter) => parameter.name)
      const members = requestBody?.required ? (body.required ?? []) : []
      assert.deepEqual(inputSchema.required ?? [], [...of, ...members], name)
      for (const parameter of parameters.filter((some) => some.in === 'query')) {
        const { examples: _, default: usually, ...limits } = followed(parameter.schema)
        // No format of JSON Schema.
        if (limits['format'] === 'date-or-instant') delete limits['format']
        const { default: own, ...kept } = Object(inputSchema.properties?.[parameter.name])
        assert.deepEqual(kept, limits, `${name} ${parameter.name}`)
        assert.equal(own, parameter.name === 'limit' ? 20 : usually, `${name} ${parameter.name}`)
      }
    }
  })

  test('say what they do to the platform', () => {
    const hints = (id: string) => {
      const { annotations } = allTools.find(({ name }) => name === id) ?? assert.fail(id)
      const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = Object(annotations)
      assert.equal(openWorldHint, false)
      return [readOnlyHint, destructiveHint, idempotentHint]
    }
    assert.deepEqual(hints('getCard'), [true, false, true])
    assert.deepEqual(hints('searchUsers'), [true, false, true])
    assert.deepEqual(hints('createCard'), [false, false, false])
    assert.deepEqual(hints('simulateAuthorization'), [false, false, false])
    assert.deepEqual(hints('createTransfer'), [false, true, false])
    assert.deepEqual(hints('chargeAccount'), [false, true, false])
    assert.deepEqual(hints('updateCard'), [false, true, true])
    assert.deepEqual(hints('deleteWebhook'), [false, true, true])
    assert.deepEqual(hints('moveClock'), [false, true, false])
    assert.deepEqual(hints('trigger'), [false, true, false])
  })

  test('name every trigger', () => {
    const { inputSchema, description = '' } =
      allTools.find(({ name }) => name === 'trigger') ?? assert.fail()
    assert.deepEqual(
      Object(inputSchema.properties?.['kind']).enum,
      kinds.map(({ name }) => name),
    )
    for (const { name, about } of kinds) assert.ok(description.includes(`- ${name}: ${about}`))
  })
})

describe('--only', () => {
  test('takes groups in any spelling and operations, and offers nothing beside them', async () => {
    const words = ['--only', 'card-products, getUser,explain_transaction']
    await using agent = await openAgent(command.environment, words)
    const { tools } = await agent.client.listTools()
    assert.deepEqual(namesOf(tools).toSorted(), [
      ...['explain_transaction', 'getCardProduct', 'getUser', 'listCardProducts'],
    ])
    assert.match(await agent.refused('getCard', {}), /none of the tools that this server was/)
  })

  test('offers operations of the operator where they are named', () => {
    const allowed = { write: false, sandbox: true }
    const { operations, others, own } = select(readApi(), 'operator', allowed)
    const expected = documented.filter(
      ({ operationId, method, ...one }) =>
        one['x-permission'] === 'operator' && method === 'GET' && !(operationId in WITHHELD),
    )
    assert.deepEqual(
      operations.map(({ id }) => id).toSorted(),
      expected.map(({ operationId }) => operationId).toSorted(),
    )
    assert.deepEqual([others, own], [[], []])
  })

  for (const [only, write, pattern] of [
    ['nothing', false, /nothing is no operation and no group; groups: all, users,/],
    [',', false, /names no operation/],
    ['createCard', false, /createCard changes something.*--write/],
    ['trigger', false, /trigger changes something.*--write/],
    ['revealCard', true, /revealCard is not offered to agents.*card data/],
  ] as const) {
    test(`refuses ${only}`, () => {
      assert.throws(() => select(readApi(), only, { write, sandbox: true }), pattern)
    })
  }

  test('that is wrong ends the server with 2', async () => {
    const { code, out, err } = await command.run(['mcp', '--only', 'nothing'])
    assert.deepEqual([code, out], [2, ''])
    assert.match(err, /no operation and no group/)
  })
})

describe('card data, keys and passwords', () => {
  test('are answered by no operation that is offered, unless they are masked', () => {
    const masked = withoutSecrets({
      card_number: '4000001234567890',
      cvv2: '123',
      pin: '1234',
      token_number: '4900001234567890',
      secret: 'whsec_x',
      api_key: 'k',
      private_key: 'p',
      sdk_token: 's',
      password: 'w',
    })
    const safe = new Set(
      Object.entries(Object(masked)).flatMap(([name, value]) =>
        value === '***' || /^\d{6}\*{6}\d{4}$/.test(String(value)) ? [name] : [],
      ),
    )
    assert.equal(safe.size, 9)
    // Names that mean something else, each looked at.
    const harmless = new Set([
      ...[
        'pan_range',
        'pan_length',
        'pin',
        'pin_absent',
        'masked_card_number',
        'masked_token_number',
      ],
      ...['ecommerce_without_cvv2', 'account_verification_without_cvv2', 'cvv2_date_order'],
      ...['protection_key_set', 'token_minutes', 'public_key', 'token_id', 'otp_3ds', 'token'],
      // Whether a mailer is printed; keys of networks by their check values, whether it has any.
      ...['api_keys', 'api_keys_max', 'pin_mailer', 'keys', 'has_keys'],
    ])
    const suspicious = /secret|_?key|token|\bpan|card_number|cvv|pin(_|$)|password|otp/
    const answers = documented
      .filter(({ operationId }) => !(operationId in WITHHELD))
      .flatMap(({ operationId, responses }) =>
        Object.entries(responses)
          .filter(([status]) => status.startsWith('2'))
          .flatMap(([, { content }]) => namesIn(content?.['application/json']?.schema))
          .map((name) => `${operationId} ${name}`),
      )
    const events = namesIn(document.webhooks).map((name) => `event ${name}`)
    const found = [...answers, ...events].filter((line) => {
      const name = line.split(' ')[1] ?? ''
      return suspicious.test(name) && !safe.has(name) && !harmless.has(name)
    })
    assert.deepEqual([...new Set(found)], [])
  })

  test('are asked for by no tool', () => {
    const asked = /^(card_number|cvv2|pin|enc_pin|key_block|secret|basic_auth_\w+|custom_headers)$/
    for (const { name, inputSchema } of allTools) {
      const found = namesIn(inputSchema).filter((argument) => asked.test(argument))
      // Rules for PINs.
      const rules = ['createCardProduct', 'updateCardProduct'].includes(name) ? ['pin'] : []
      assert.deepEqual(found, rules, name)
    }
  })

  test('are masked in text that is itself JSON', () => {
    const body = JSON.stringify({ event: 'IDENTITY_VERIFICATION', sdk_token: 'abc', n: 1 })
    const masked = Object(withoutSecrets({ data: [{ body }, { body: 'no JSON' }] }))
    assert.deepEqual(JSON.parse(masked.data[0].body), { ...JSON.parse(body), sdk_token: '***' })
    assert.equal(masked.data[1].body, 'no JSON')
  })

  test('are what the operations that are left out are about', async () => {
    const api = readApi()
    const found = api.operations.flatMap(({ id, withheld }) =>
      withheld === undefined ? [] : [[id, withheld] as const],
    )
    assert.deepEqual(found.map(([id]) => id).toSorted(), Object.keys(WITHHELD).toSorted())
    for (const [id, reason] of found) {
      assert.match(reason, WITHHELD[id] ?? /^$/)
      assert.match(await everything.refused(id), /^\w+ is not offered to agents: /)
    }
  })
})
