/** Requests of a collection, with what its client does beside: variables, cookies, scripts. */

import { runInNewContext } from 'node:vm'

export type Outgoing = {
  method: string
  url: string
  headers: Record<string, string>
  body?: string | FormData
}
/** `body` is JSON where the answer is, else text. */
export type Reply = { status: number; body: unknown }

export type Variables = Map<string, string>

export type CollectionCall = {
  /** Names of the folders above it. */
  folders: readonly string[]
  name: string
  /** Method and path, with `{}` in the place of each parameter. */
  operation: string
  /** The request as the client sends it. */
  outgoing: (variables: Variables) => Outgoing
  /** Runs what the file has after an answer, and returns the expectations that fail. */
  afterwards: (reply: Reply, variables: Variables) => string[]
}

/** A file or folder, as its client opens it; `variables` are their first values. */
export type OpenedCollection = {
  calls: readonly CollectionCall[]
  variables: ReadonlyMap<string, string>
  environment: ReadonlyMap<string, string>
  /** Names of what the client keeps to itself. */
  secrets: readonly string[]
}

export const GETTING_STARTED = 'Getting started'
export const isStep = ({ folders }: CollectionCall): boolean => folders[0] === GETTING_STARTED

/** `/v1/users/:id` and `/v1/users/{{user_id}}:verb` as `/v1/users/{}` and `/v1/users/{}:verb`. */
export const placeOf = (method: string, path: string): string =>
  `${method} ${path.replaceAll(/\/:\w+/g, '/{}').replaceAll(/\{\{\w+\}\}/g, '{}')}`

/** The cookie of the last sign-in, as a client sends it to the same host. */
export type Jar = { cookie?: string }

export async function send(outgoing: Outgoing, jar: Jar): Promise<Reply> {
  const { method, url, body } = outgoing
  const headers = { ...outgoing.headers, ...(jar.cookie !== undefined && { cookie: jar.cookie }) }
  const reply = await fetch(url, { method, headers, ...(body !== undefined && { body }) })
  const [set] = reply.headers.getSetCookie()
  if (set !== undefined) jar.cookie = set.split(';')[0] ?? ''
  const text = await reply.text()
  const isJson = reply.headers.get('content-type')?.includes('json') ?? false
  return { status: reply.status, body: isJson && text !== '' ? JSON.parse(text) : text }
}

/** A script of the file with the objects that its client gives to it. */
export const run = (script: string, objects: object): unknown =>
  runInNewContext(script, { ...objects })
