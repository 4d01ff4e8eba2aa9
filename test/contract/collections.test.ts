/** The collection has every operation of the documents. */

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { openPostman, postmanFiles } from '#test/support/collections/postman.ts'
import { type CollectionCall, GETTING_STARTED, isStep } from '#test/support/collections/send.ts'

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
        name: summary,
        folder: `${info.title}/${tag}`,
      }),
    ),
  ),
)

const { calls, variables, environment, secrets } = openPostman()

const shown = ({ operation, name, folders }: CollectionCall): string =>
  `${operation} “${name}” in ${folders.join('/')}`

test('the collection has every operation once in the folder of its tag', () => {
  const found = calls.filter((call) => !isStep(call)).map(shown)
  const expected = documented.map(
    ({ operation, name, folder }) => `${operation} “${name}” in ${folder}`,
  )
  assert.ok(expected.length > 200)
  assert.deepEqual(found.toSorted(), expected.toSorted())
})

test('the folders of the collection are in the order of the documents', () => {
  const folders = [...new Set(calls.map((call) => call.folders.join('/')))]
  const tagged = documents.flatMap(({ info, tags }) =>
    tags.map(({ name }) => `${info.title}/${name}`),
  )
  const used = new Set(documented.map(({ folder }) => folder))
  assert.deepEqual(folders, [GETTING_STARTED, ...tagged.filter((one) => used.has(one))])
})

test('the steps of Getting started are operations of the documents', () => {
  const known = new Set(documented.map(({ operation }) => operation))
  const steps = calls.filter(isStep)
  assert.ok(steps.length > 8)
  assert.deepEqual(steps.filter(({ operation }) => !known.has(operation)).map(shown), [])
})

test('every variable that the collection names is in it, secrets empty', () => {
  const values = new Map([...variables, ...environment])
  const sent = JSON.stringify(calls.map((call) => call.outgoing(values)))
  assert.deepEqual(sent.match(/\{\{[^$].*?\}\}/g), null)
  assert.deepEqual(secrets, ['api_key', 'operator_key', 'public_key', 'private_key'])
  assert.deepEqual(
    secrets.filter((name) => environment.get(name) !== ''),
    [],
  )
})

test('no file has a path of a machine or a key', () => {
  const found = postmanFiles().flatMap(
    (text) => text.match(/\/(home|root|tmp|work|Users)\/|[ps]k_\w{16,}/g) ?? [],
  )
  assert.deepEqual(found, [])
})
