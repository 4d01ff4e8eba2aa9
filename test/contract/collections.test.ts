/** docs/collections has every operation of the documents, for Postman and for Bruno alike. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { lang, openBruno } from '#test/support/collections/bruno.ts'
import { openPostman } from '#test/support/collections/postman.ts'
import {
  type CollectionCall,
  GETTING_STARTED,
  isStep,
  type OpenedCollection,
} from '#test/support/collections/send.ts'
import { BRUNO_FOLDER, COLLECTIONS } from '../../tools/collections/collection_files.ts'

type Document = {
  info: { title: string }
  servers: { url: string }[]
  tags: { name: string }[]
  paths: Record<string, Record<string, { tags: string[]; summary: string }>>
}

const documents = ['issuing', 'merchant', 'portal'].map(
  (name): Document => JSON.parse(readFileSync(`docs/openapi/${name}.json`, 'utf8')),
)
const documented = documents.flatMap(({ info, servers, paths }) =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([
        method,
        {
          tags: [tag],
          summary,
        },
      ]) => ({
        operation: `${method.toUpperCase()} ${servers[0]?.url}${path.replaceAll(/\{\w+\}/g, '{}')}`,
        ...{ name: summary, folder: `${info.title}/${tag}` },
      }),
    ),
  ),
)

const opened: [name: string, collection: OpenedCollection][] = [
  ['Postman', openPostman()],
  ['Bruno', openBruno()],
]
const files = globSync(`${COLLECTIONS}/**/*.*`).sort()

const shown = ({ operation, name, folders }: CollectionCall): string =>
  `${operation} “${name}” in ${folders.join('/')}`

for (const [client, { calls, variables, environment, secrets }] of opened) {
  test(`the collection for ${client} has every operation once in the folder of its tag`, () => {
    const found = calls.filter((call) => !isStep(call)).map(shown)
    const expected = documented.map(
      ({ operation, name, folder }) => `${operation} “${name}” in ${folder}`,
    )
    assert.ok(expected.length > 200)
    assert.deepEqual(found.toSorted(), expected.toSorted())
  })

  test(`the folders of the collection for ${client} are in the order of the documents`, () => {
    const folders = [...new Set(calls.map((call) => call.folders.join('/')))]
    const tagged = documents.flatMap(({ info, tags }) =>
      tags.map(({ name }) => `${info.title}/${name}`),
    )
    const used = new Set(documented.map(({ folder }) => folder))
    assert.deepEqual(folders, [GETTING_STARTED, ...tagged.filter((one) => used.has(one))])
  })

  test(`the steps of Getting started for ${client} are operations of the documents`, () => {
    const known = new Set(documented.map(({ operation }) => operation))
    const steps = calls.filter(isStep)
    assert.ok(steps.length > 8)
    assert.deepEqual(steps.filter(({ operation }) => !known.has(operation)).map(shown), [])
  })

  test(`every variable that the collection for ${client} names is in it, secrets empty`, () => {
    const values = new Map([...variables, ...environment])
    const sent = JSON.stringify(calls.map((call) => call.outgoing(values)))
    assert.deepEqual(sent.match(/\{\{[^$].*?\}\}/g), null)
    assert.deepEqual(secrets, ['api_key', 'operator_key', 'public_key', 'private_key'])
    assert.deepEqual(
      secrets.filter((name) => environment.get(name) !== ''),
      [],
    )
  })
}

test('both collections send the same requests', () => {
  const sent = opened.map(([, { calls, variables, environment }]) =>
    calls.map((call) => {
      const values = new Map([...variables].map(([name, value]) => [name, value || `of ${name}`]))
      const { headers, url, body, ...outgoing } = call.outgoing(
        new Map([...values, ...environment, ...[...environment].map(keyOf)]),
      )
      const text = typeof body === 'string' ? body.replace(/ORDER-\d+/, 'ORDER') : typeof body
      return {
        ...{ ...outgoing, url: decodeURI(url), body: text },
        headers: Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name,
            name.endsWith('idempotency-key') ? value.length : value,
          ]),
        ),
      }
    }),
  )
  assert.deepEqual(sent[0], sent[1])
})

/** Each key has a value of its own, so that a request with another key differs. */
const keyOf = ([name, value]: [string, string]): [string, string] => [
  name,
  value === '' ? `key ${name}` : value,
]

test('every file for Bruno is as Bruno writes it', () => {
  const bruno = files.filter((path) => path.startsWith(BRUNO_FOLDER) && path.endsWith('.bru'))
  assert.ok(bruno.length > 200)
  const changed = bruno.filter((path) => {
    const text = readFileSync(path, 'utf8')
    if (path.includes('/environments/'))
      return lang.envJsonToBruV2(lang.bruToEnvJsonV2(text)) !== text
    if (/\/(folder|collection)\.bru$/.test(path)) {
      const file = lang.collectionBruToJson(text)
      // What Bruno adds when it reads one, and does not write.
      if (file.meta) delete file.meta.type
      return lang.jsonToCollectionBru(file) !== text
    }
    return lang.jsonToBruV2(lang.bruToJsonV2(text)) !== text
  })
  assert.deepEqual(changed, [])
})

test('no file has a path of a machine or a key', () => {
  const found = files.flatMap(
    (path) =>
      readFileSync(path, 'utf8').match(/\/(home|root|tmp|work|Users)\/|[ps]k_\w{16,}/g) ?? [],
  )
  assert.ok(files.length > 200)
  assert.deepEqual(found, [])
})
