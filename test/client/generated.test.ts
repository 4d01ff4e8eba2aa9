/** The functions of the library are those of the documents, and so are its codes of errors. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { EventFeed } from '#client/feed.ts'
import { errorClasses } from '#client/generated/errors.ts'
import { Bezant } from '#client/index.ts'
import { BezantMerchant } from '#client/merchant.ts'
import { BezantPortal } from '#client/portal.ts'

type Document = {
  servers: { url: string }[]
  components: { schemas: Record<string, { properties?: object }> }
  paths: Record<string, Record<string, { parameters?: { in: string; name: string }[] }>>
}

const baseUrl = 'http://127.0.0.1:1'
const keys = { public_key: 'p', private_key: 's' }

/** Requests that each function of a client sends, with `~` for each parameter of its path. */
async function sentBy(open: (fetch: typeof globalThis.fetch) => object): Promise<Set<string>> {
  const sent = new Set<string>()
  const client = open(async (input, init) => {
    const path = decodeURIComponent(new URL(String(input)).pathname)
    const keyed = [...new Headers(init?.headers).keys()].some((name) => name.endsWith('-key'))
    sent.add(`${init?.method} ${path}${keyed ? ' with key' : ''}`)
    return new Response('{"data":[],"has_more":false,"token":"t"}')
  })
  for (const group of Object.values(client)) {
    for (const name of functionsOf(group)) await group[name]('~', '~', '~')
  }
  return sent
}

/** The generated functions; the feed of events has one more, which sends nothing by itself. */
function functionsOf(group: object): string[] {
  const own: object = Object.getPrototypeOf(group)
  const generated = own === EventFeed.prototype ? Object.getPrototypeOf(own) : own
  return Object.getOwnPropertyNames(generated).filter((name) => name !== 'constructor')
}

const CLIENTS: [name: string, open: (fetch: typeof globalThis.fetch) => object][] = [
  ['issuing', (fetch) => new Bezant({ baseUrl, apiKey: 'k', fetch })],
  ['merchant', (fetch) => new BezantMerchant({ baseUrl, keys, fetch })],
  ['portal', (fetch) => new BezantPortal({ baseUrl, fetch })],
]

for (const [name, open] of CLIENTS) {
  const document: Document = JSON.parse(readFileSync(`docs/openapi/${name}.json`, 'utf8'))
  test(`every operation of ${name} is a function, with a key where it takes one`, async () => {
    const [server] = document.servers
    const expected = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.entries(operations).map(([method, { parameters = [] }]) => {
        const keyed = parameters.some((one) => one.name.endsWith('idempotency-key'))
        const place = `${server?.url}${path.replaceAll(/\{\w+\}/g, '~')}`
        return `${method.toUpperCase()} ${place}${keyed ? ' with key' : ''}`
      }),
    )
    assert.deepEqual([...(await sentBy(open))].sort(), [...new Set(expected)].sort())
  })

  test(`every member of a schema of ${name} is one of its type`, () => {
    const text = readFileSync(`packages/client/src/generated/${name}/types.ts`, 'utf8')
    const types = new Map(
      text.split(/^export (?:interface|type) /m).map((of) => [/^\w*/.exec(of)?.[0] ?? '', of]),
    )
    const missing = Object.entries(document.components.schemas).flatMap(([type, { properties }]) =>
      Object.keys(properties ?? {})
        .filter((member) => !new RegExp(`^ +'?${member}'?\\??:`, 'm').test(types.get(type) ?? ''))
        .map((member) => `${type}.${member}`),
    )
    assert.ok(types.size > 10)
    assert.deepEqual(missing, [])
  })

  test(`every code of an error of ${name} has a class`, () => {
    const codes = new Set(
      [
        ...JSON.stringify(document).matchAll(
          /"\$ref":"#\/components\/responses\/\w+","description":"(.*?)"/g,
        ),
      ].flatMap(([, text = '']) => text.split(', ')),
    )
    assert.ok(codes.size > 10)
    assert.deepEqual(
      [...codes].filter((code) => !Object.hasOwn(errorClasses, code)),
      [],
    )
  })
}

test('a client without a key, and a shop without keys, are not made', () => {
  assert.throws(() => new Bezant({ baseUrl }), { message: 'apiKey is missing' })
  assert.throws(() => new BezantMerchant({ baseUrl }), { message: 'keys are missing' })
})
