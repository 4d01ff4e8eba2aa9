/** The collection, made of the OpenAPI documents with their examples. */

import type { OpenApi } from '#lib/openapi.ts'
import { callsIn, type Folder, folderOf, withoutSecondKeeps } from './calls.ts'
import { gettingStarted } from './getting_started.ts'
import {
  MERCHANT_TOKEN,
  namesIn,
  SECRETS,
  type Variable,
  variableOf,
  variablesOfIds,
} from './variables.ts'

export type Collection = {
  name: string
  description: string
  /** Ids of objects, which requests keep and following ones send. */
  variables: readonly Variable[]
  environment: { name: string; base_url: string; secrets: readonly Variable[] }
  folders: readonly Folder[]
}

const NAME = 'Bezant'
const ENVIRONMENT = 'Sandbox'
const DESCRIPTION = `Every operation of the issuing API, the merchant API and the portal, with the
examples of their documents. Choose the environment ${ENVIRONMENT} and give it the keys of
\`data/sandbox.json\`, which a start writes.`

/** The documents of issuing, merchant and portal; `base_url` is that of a local start. */
export function collectionOf(documents: readonly OpenApi[], base_url: string): Collection {
  const ids = variablesOfIds(documents)
  const auths = ['api_key', 'merchant_token', 'cookie'] as const
  const apis = withoutSecondKeeps(
    documents.map((document, at) => folderOf(document, ids, auths[at] ?? 'api_key')),
  )
  const folders = [gettingStarted(callsIn(apis)), ...apis].map((one) => linked(one, base_url))
  const calls = callsIn(apis)
  const own = new Set(['base_url', ...SECRETS.map(({ name }) => name)])
  const named = new Set([MERCHANT_TOKEN, ...namesIn(JSON.stringify(folders))])
  const names = [...named].filter((name) => !own.has(name))
  const variables = names.sort().map((name) => {
    const by = calls.filter(({ keeps }) => keeps.some(({ variable }) => variable === name))
    return variableOf(
      name,
      by.map((call) => call.name),
    )
  })
  const environment = { name: ENVIRONMENT, base_url, secrets: SECRETS }
  const description = DESCRIPTION.replaceAll('\n', ' ')
  return { name: NAME, description, variables, environment, folders }
}

/** Links of a document are to pages of the program. */
function linked(folder: Folder, base_url: string): Folder {
  const text = (description: string) => description.replaceAll('](/', `](${base_url}/`)
  return {
    ...folder,
    description: text(folder.description),
    folders: folder.folders.map((one) => linked(one, base_url)),
    calls: folder.calls.map((call) => ({ ...call, description: text(call.description) })),
  }
}
