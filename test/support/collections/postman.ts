/** The collection as Postman's own library reads it and fills in its variables. */

import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { openapiOf } from '#kit/http/openapi/openapi.ts'
import { readConfig } from '#src/config/config.ts'
import { contractsOf } from '#src/program/documents.ts'
import { sandbox } from '#src/program/modes/sandbox.ts'
import { type CollectionPath, collectionText } from '#src/program/pages/collection/served.ts'
import { pdf } from '../files.ts'
import {
  type CollectionCall,
  type OpenedCollection,
  type Outgoing,
  placeOf,
  type Reply,
  run,
  type Variables,
} from './send.ts'

/** The used part of the package, which does not name its types. */
type List<One> = { all: () => One[] }
type Item = {
  name: string
  request: { method: string; url: { path?: string[] }; toJSON: () => RequestJson }
  events: { listeners: (name: string) => { script: { toSource: () => string } }[] }
  getAuth: () => { type: string; parameters: () => { toObject: () => Parameters } } | undefined
}
type Group = { name: string; items: List<Item | Group> }
type Value = { key: string; value: string; type: string }
type Scope = { values: List<Value> }
type Postman = {
  Collection: new (
    json: object,
  ) => Group & { variables: { toObject: () => Record<string, string> } }
  Property: { replaceSubstitutionsIn: <Value>(value: Value, variables: object[]) => Value }
  Url: new (json: object) => { getHost: () => string; getPathWithQuery: () => string }
  VariableScope: new (json: object) => Scope
}
const { Collection, Property, Url, VariableScope }: Postman = createRequire(import.meta.url)(
  'postman-collection',
)

/** The used part of a request as JSON. */
type RequestJson = {
  method: string
  url: object
  header?: { key: string; value: string; disabled?: boolean }[]
  body?: {
    mode: string
    raw?: string
    options?: { raw: { language: string } }
    formdata?: { key: string; type: string; value?: string }[]
  }
}
type Parameters = Record<string, string>

/** The file that the reader of Postman chooses. */
const CHOSEN = pdf()

/** The two files, as a program at the address serves them. */
export function postmanFiles(
  base_url = readConfig({}).public_url,
): [collection: string, environment: string] {
  const documents = contractsOf(readConfig({}), sandbox).map(openapiOf)
  const text = (path: CollectionPath) => collectionText(path, documents, base_url)
  return [text('/docs/collections'), text('/docs/collections/environment')]
}

export function openPostman(): OpenedCollection {
  const [file, environment] = postmanFiles()
  const collection = new Collection(JSON.parse(file))
  const json: { values: Value[] } = JSON.parse(environment)
  const values = new VariableScope(json).values.all()
  return {
    calls: collection.items.all().flatMap((item) => callsOf(item, [])),
    variables: new Map(Object.entries(collection.variables.toObject())),
    environment: new Map(values.map(({ key, value }) => [key, value])),
    secrets: json.values.flatMap(({ key, type }) => (type === 'secret' ? [key] : [])),
  }
}

function callsOf(item: Item | Group, folders: readonly string[]): CollectionCall[] {
  if ('items' in item)
    return item.items.all().flatMap((one) => callsOf(one, [...folders, item.name]))
  const { request } = item
  return [
    {
      folders,
      name: item.name,
      operation: placeOf(request.method, `/${(request.url.path ?? []).join('/')}`),
      outgoing: (variables) => outgoingOf(item, variables),
      afterwards: (reply, variables) => afterwards(item, reply, variables),
    },
  ]
}

function outgoingOf(item: Item, variables: Variables): Outgoing {
  const values = Object.fromEntries(variables)
  const filled = <Value>(value: Value): Value =>
    Property.replaceSubstitutionsIn(structuredClone(value), [values])
  const { method, url, header = [], body } = filled(item.request.toJSON())
  const full = new Url(url)
  const auth = item.getAuth()
  const { key = '', value = '', token = '' } = auth ? filled(auth.parameters().toObject()) : {}
  const isJson = body?.options?.raw.language === 'json'
  return {
    method,
    url: `${full.getHost()}${full.getPathWithQuery()}`,
    headers: {
      ...Object.fromEntries(header.flatMap((one) => (one.disabled ? [] : [[one.key, one.value]]))),
      ...(auth?.type === 'apikey' && { [key]: value }),
      ...(auth?.type === 'bearer' && { authorization: `Bearer ${token}` }),
      ...(isJson && { 'content-type': 'application/json' }),
    },
    ...(body?.mode === 'raw' && { body: body.raw ?? '' }),
    ...(body?.mode === 'formdata' && { body: formOf(body.formdata ?? []) }),
  }
}

function formOf(parts: NonNullable<NonNullable<RequestJson['body']>['formdata']>): FormData {
  const form = new FormData()
  for (const { key, type, value = '' } of parts) {
    if (type === 'file') form.set(key, new Blob([CHOSEN]), 'chosen.pdf')
    else form.set(key, value)
  }
  return form
}

function afterwards(item: Item, { status, body }: Reply, variables: Variables): string[] {
  const failed: string[] = []
  const isSuccess = () => assert.ok(status < 300, `${status} ${JSON.stringify(body)}`)
  const pm = {
    response: {
      code: status,
      json: () => body,
      to: {
        be: {
          get success() {
            return isSuccess()
          },
        },
      },
    },
    collectionVariables: { set: (key: string, value: string) => variables.set(key, value) },
    expect: (value: unknown) => ({
      to: { eql: (expected: unknown) => assert.deepEqual(value, expected) },
    }),
    test(name: string, check: () => void) {
      try {
        check()
      } catch (error) {
        failed.push(`${name}: ${String(error)}`)
      }
    },
  }
  for (const { script } of item.events.listeners('test')) run(script.toSource(), { pm })
  return failed
}
