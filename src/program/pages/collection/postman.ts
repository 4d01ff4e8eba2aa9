/** The collection as one file of Postman's format 2.1, and its environment (D-845). */

import { createHash } from 'node:crypto'
import type { Auth, Body, Call, Field, Folder } from './calls.ts'
import type { Collection } from './collection.ts'

const SCHEMA = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json'

export function postmanCollection({ name, description, variables, folders }: Collection): object {
  return {
    info: { _postman_id: uuidOf(name), name, description, schema: SCHEMA },
    auth: authOf('api_key'),
    variable: variables.map(({ name: key, value, description }) => ({
      key,
      value,
      type: 'string',
      description,
    })),
    item: folders.map((folder) => itemOf(folder, 'api_key', [])),
  }
}

export function postmanEnvironment({ environment }: Collection): object {
  return {
    id: uuidOf(environment.name),
    name: environment.name,
    values: [
      { key: 'base_url', value: environment.base_url, type: 'default', enabled: true },
      ...environment.secrets.map(({ name: key }) => ({
        key,
        value: '',
        type: 'secret',
        enabled: true,
      })),
    ],
    _postman_variable_scope: 'environment',
  }
}

/** The same for the same text, so that a file changes only if its content does. */
function uuidOf(text: string): string {
  const digest = createHash('sha256').update(`bezant collection ${text}`).digest('hex')
  const [, a, b, c, d, e] = /^(.{8})(.{4})(.{3})(.{3})(.{12})/.exec(digest) ?? []
  return `${a}-${b}-8${c}-8${d}-${e}`
}

function itemOf(folder: Folder, inherited: Auth, above: readonly string[]): object {
  const { name, description, auth, folders, calls } = folder
  const path = [...above, name]
  return {
    id: uuidOf(path.join('/')),
    name,
    description,
    ...(auth !== inherited && { auth: authOf(auth) }),
    item: [
      ...folders.map((one) => itemOf(one, auth, path)),
      ...calls.map((call) => requestOf(call, auth, path)),
    ],
  }
}

function requestOf(call: Call, inherited: Auth, above: readonly string[]): object {
  const { name, description, method, auth, headers, body } = call
  const script = scriptOf(call)
  return {
    id: uuidOf([...above, call.operation, name].join('/')),
    name,
    request: {
      ...(auth !== inherited && { auth: authOf(auth) }),
      method,
      header: headers.map(fieldOf),
      ...(body && { body: bodyOf(body) }),
      url: urlOf(call),
      description,
    },
    response: [],
    ...(script.length > 0 && {
      event: [{ listen: 'test', script: { type: 'text/javascript', exec: script } }],
    }),
  }
}

function urlOf({ path, path_fields, query }: Call): object {
  const sent = query.flatMap(({ name, value, isSent }) => (isSent ? [`${name}=${value}`] : []))
  const raw = `{{base_url}}/${path.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`
  return {
    raw,
    host: ['{{base_url}}'],
    path,
    ...(query.length > 0 && { query: query.map(fieldOf) }),
    ...(path_fields.length > 0 && {
      variable: path_fields.map(({ name: key, value, description }) => ({
        key,
        value,
        description,
      })),
    }),
  }
}

const fieldOf = ({ name: key, value, description, isSent }: Field): object => ({
  key,
  value,
  description,
  ...(!isSent && { disabled: true }),
})

/** The reader chooses the file of a form. */
function bodyOf(body: Body): object {
  if ('json' in body) return { mode: 'raw', raw: body.json, options: { raw: { language: 'json' } } }
  return {
    mode: 'formdata',
    formdata: body.form.map(({ name: key, value, isFile }) =>
      isFile ? { key, type: 'file', src: [] } : { key, type: 'text', value },
    ),
  }
}

function authOf(auth: Auth): object {
  const pair = (key: string, value: string) => ({ key, value, type: 'string' })
  if (auth === 'cookie' || auth === 'none') return { type: 'noauth' }
  if (auth === 'merchant_token')
    return { type: 'bearer', bearer: [pair('token', '{{merchant_token}}')] }
  const apikey = [pair('key', 'apikey'), pair('value', `{{${auth}}}`), pair('in', 'header')]
  return { type: 'apikey', apikey }
}

/** Keeps ids of an answer of success; in Getting started it also compares the answer. */
function scriptOf({ keeps, expected }: Call): string[] {
  const tests = Object.entries(expected ?? {}).map(
    ([member, value]) =>
      `pm.test('${member} is ${value}', () => ` +
      `pm.expect(pm.response.json().${member}).to.eql(${JSON.stringify(value)}))`,
  )
  const kept = keeps.map(({ variable, member }) => {
    const value = `answer.${member.replace('[0].', '?.[0]?.')}`
    return `if (${value}) pm.collectionVariables.set('${variable}', ${value})`
  })
  return [
    ...(expected ? ["pm.test('succeeds', () => pm.response.to.be.success)", ...tests] : []),
    ...(kept.length > 0
      ? ['const answer = pm.response.code < 300 ? pm.response.json() : {}', ...kept]
      : []),
  ]
}
