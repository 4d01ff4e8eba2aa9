/** The task of `bezant listen`: its options, and the sandbox that DATA_DIR describes. */

import { makeSecret } from '#kit/net/signature.ts'
import { withoutSlashes } from '#kit/settings/shapes.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { readSandbox } from '#sandbox/seed/file.ts'
import { Fault } from '../../kit/faults.ts'
import { noSandbox } from '../unreachable.ts'

/** The command cannot go on; the message states why and what to do. */
export class ListenFault extends Fault {}

export type Options = {
  url: string
  /** Undefined if a key is to be made with the operator's. */
  key: string | undefined
  tenant: string | undefined
  operator_key: string | undefined
  forward_to: string | undefined
  responder_to: string | undefined
  /** Undefined for all. */
  kinds: ReadonlySet<string> | undefined
  after: string
  secret: string
  json: boolean
}

/** The options as they are written. */
export type Given = {
  forwardTo?: string
  responderTo?: string
  events?: string
  after?: string
  tenant?: string
  url?: string
  key?: string
  secret?: string
  json?: boolean
}

/** Throws a ListenFault for what cannot be done. */
export function optionsOf(given: Given, data_dir: string): Options {
  const path = sandboxPath(data_dir)
  const sandbox = readSandbox(path)
  const { url = sandbox?.base_url, tenant, key, secret = makeSecret() } = given
  if (url === undefined) {
    throw new ListenFault(noSandbox(path, 'start the server (npm start), or give --url'))
  }
  const ownKey = sandbox?.base_url === url ? sandbox.tenant.api_key : undefined
  const operator_key = sandbox?.base_url === url ? sandbox.operator_key : undefined
  if (key === undefined && ownKey === undefined) throw new ListenFault(`give --key for ${url}`)
  if (tenant !== undefined && operator_key === undefined) {
    throw new ListenFault(
      '--tenant is for the sandbox of DATA_DIR: give --key for another platform',
    )
  }
  if (!/^whsec_[A-Za-z0-9+/]{24,}={0,2}$/.test(secret)) {
    throw new ListenFault('--secret is not whsec_ and at least 18 bytes in base64')
  }
  const kinds = given.events?.split(',').map((kind) => kind.trim().toUpperCase())
  return {
    url: withoutSlashes(addressOf('--url', url)),
    tenant,
    operator_key,
    secret,
    key: tenant === undefined ? (key ?? ownKey) : undefined,
    forward_to: addressIn('--forward-to', given.forwardTo),
    responder_to: addressIn('--responder-to', given.responderTo),
    kinds: kinds && new Set(kinds),
    after: given.after ?? 'latest',
    json: given.json ?? false,
  }
}

const addressIn = (option: string, text: string | undefined) =>
  text === undefined ? undefined : addressOf(option, text)

/** `localhost:4000/hook` is meant as http. */
function addressOf(option: string, text: string): string {
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (url && /^https?:$/.test(url.protocol)) return url.href
  throw new ListenFault(`${option} ${text} is not an http address`)
}
