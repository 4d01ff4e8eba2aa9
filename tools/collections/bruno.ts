/**
 * The collections as a folder of Bruno's files `.bru`, which versions before its YAML form open as
 * well. Bruno's own library writes the files (D-845).
 */

import { createRequire } from 'node:module'
import type { Generated } from '../generated.ts'
import type { Auth, Body, Call, Field, Folder } from './calls.ts'
import type { Collection } from './collection.ts'

/** The used part of the package, which has no types. */
type BrunoLang = Readonly<
  Record<'jsonToBruV2' | 'jsonToCollectionBru' | 'envJsonToBruV2', (json: object) => string>
>
const lang: BrunoLang = createRequire(import.meta.url)('@usebruno/lang')

/** What the forms upload, beside collection.bru. */
const UPLOAD = 'identification.pdf'

/** Paths are below the folder of the collection. */
export function brunoFiles(collection: Collection): Generated[] {
  const { name, description, variables, environment, folders } = collection
  const { base_url, secrets } = environment
  const config = { version: '1', name, type: 'collection', ignore: ['node_modules', '.git'] }
  const upload = folders.flatMap(uploadsIn)[0]
  return [
    { path: 'bruno.json', text: `${JSON.stringify(config, null, 2)}\n` },
    {
      path: 'collection.bru',
      text: lang.jsonToCollectionBru({
        auth: authOf('api_key'),
        vars: { req: variables.map((one) => ({ ...one, enabled: true, description: '' })) },
        docs: [description, ...variables.map(itemOf)].join('\n'),
      }),
    },
    {
      path: `environments/${environment.name}.bru`,
      text: lang.envJsonToBruV2({
        variables: [
          { name: 'base_url', value: base_url, enabled: true, secret: false },
          ...secrets.map(({ name: key }) => ({
            ...{ name: key, value: '', enabled: true, secret: true },
          })),
        ],
      }),
    },
    ...(upload === undefined ? [] : [{ path: UPLOAD, text: upload }]),
    ...folders.flatMap((folder, at) => filesOf(folder, at + 1, 'api_key', '')),
  ]
}

const uploadsIn = ({ folders, calls }: Folder): string[] => [
  ...folders.flatMap(uploadsIn),
  ...calls.flatMap(({ body }) =>
    body && 'form' in body ? body.form.flatMap(({ value, isFile }) => (isFile ? [value] : [])) : [],
  ),
]

const itemOf = ({ name, description }: { name: string; description: string }): string =>
  `- \`${name}\`${description === '' ? '' : `: ${description}`}`

function filesOf(folder: Folder, seq: number, inherited: Auth, above: string): Generated[] {
  const { name, description, auth, folders, calls } = folder
  const path = `${above}${name.toLowerCase().replaceAll(' ', '_')}/`
  const isSteps = calls.some(({ expected }) => expected)
  return [
    {
      path: `${path}folder.bru`,
      text: lang.jsonToCollectionBru({
        meta: { name, seq },
        auth: auth === inherited ? { mode: 'inherit' } : authOf(auth),
        docs: description,
      }),
    },
    ...folders.flatMap((one, at) => filesOf(one, at + 1, auth, path)),
    ...calls.map((call, at): Generated => {
      const file = isSteps ? `${String(at + 1).padStart(2, '0')}_${call.operation}` : call.operation
      return { path: `${path}${file}.bru`, text: lang.jsonToBruV2(requestOf(call, at + 1, auth)) }
    }),
  ]
}

function requestOf(call: Call, seq: number, inherited: Auth): object {
  const { name, method, path, path_fields, query, headers, body, auth, expected, keeps } = call
  const sent = query.flatMap(({ name: key, value, isSent }) => (isSent ? [`${key}=${value}`] : []))
  const own = auth === inherited ? { mode: 'inherit' } : authOf(auth)
  return {
    meta: { name, type: 'http', seq },
    http: {
      method: method.toLowerCase(),
      url: `{{base_url}}/${path.join('/')}${sent.length > 0 ? `?${sent.join('&')}` : ''}`,
      body: body === undefined ? 'none' : 'json' in body ? 'json' : 'multipartForm',
      auth: own.mode,
    },
    params: [
      ...query.map((field) => ({ ...fieldOf(field), type: 'query' })),
      ...path_fields.map((field) => ({ ...fieldOf(field), type: 'path' })),
    ],
    headers: headers.map(fieldOf),
    auth: own,
    ...(body && { body: bodyOf(body) }),
    ...(expected && { assertions: assertionsOf(call) }),
    ...(keeps.length > 0 && { script: { res: scriptOf(call) } }),
    docs: docsOf(call),
  }
}

/** Without descriptions, which older versions of Bruno cannot read: `docs` has them. */
const fieldOf = ({ name, value, isSent }: Field) => ({ name, value, enabled: isSent })

const bodyOf = (body: Body): object =>
  'json' in body
    ? { json: body.json }
    : {
        multipartForm: body.form.map(({ name, value, isFile }) => ({
          ...{ name, enabled: true, type: isFile ? 'file' : 'text' },
          value: isFile ? [UPLOAD] : value,
        })),
      }

function authOf(auth: Auth): { mode: string } {
  if (auth === 'cookie' || auth === 'none') return { mode: 'none' }
  if (auth === 'merchant_token') {
    const bearer = { token: '{{merchant_token}}' }
    return { mode: 'bearer', ...{ bearer } }
  }
  const apikey = { key: 'apikey', value: `{{${auth}}}`, placement: 'header' }
  return { mode: 'apikey', ...{ apikey } }
}

function assertionsOf({ expected = {} }: Call): object[] {
  const members = Object.entries(expected).map(([member, value]) => {
    // Without quotes Bruno takes the digits of a code as a number.
    const isCode = typeof value === 'string' && /^\d/.test(value)
    return { name: `res.body.${member}`, value: `eq ${isCode ? JSON.stringify(value) : value}` }
  })
  return [{ name: 'res.status', value: 'lt 300' }, ...members].map((one) => ({
    ...{ ...one, enabled: true },
  }))
}

/** A variable of the running Bruno: no file changes. */
function scriptOf({ keeps }: Call): string {
  const kept = keeps.map(({ variable, member }) => {
    const value = `answer.${member.replace('[0].', '?.[0]?.')}`
    return `if (${value}) bru.setVar('${variable}', ${value})`
  })
  return ['const answer = res.getStatus() < 300 ? res.getBody() : {}', ...kept].join('\n')
}

function docsOf({ description, path_fields, query, headers }: Call): string {
  const fields = [...path_fields, ...query, ...headers].map(itemOf)
  return [description, ...(fields.length > 0 ? ['', ...fields] : [])].join('\n')
}
