/** The task of `bezant listen`: its options, and the sandbox that DATA_DIR describes. */

import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeSecret } from '#kit/net/signature.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { readSandbox } from '#sandbox/seed/file.ts'
import { noSandbox } from '../unreachable.ts'

/** The tool cannot go on; the message states why and what to do. */
export class ListenFault extends Error {}

export const USAGE = `bezant listen [--forward-to URL] [--responder-to URL] [options]

  --forward-to URL   posts each event to this address, signed
  --responder-to URL answers the questions to the tenant's responder from this address, signed;
                     with the setting "responder": {"listener": true}
  --events A,B       only events of these kinds
  --after ID         begins behind this event; at the end of the feed where it is left out
  --tenant ID        events of this tenant of the sandbox, by a key made for the time of the run
  --url URL          the platform; that of DATA_DIR/sandbox.json where it is left out
  --key KEY          an API key with the permission read, and write for answers; that of the sandbox's tenant
  --secret whsec_…   the secret that signs; a new one is printed where it is left out
  --json             prints the events whole`

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

const options = {
  'forward-to': { type: 'string' },
  'responder-to': { type: 'string' },
  events: { type: 'string' },
  after: { type: 'string' },
  tenant: { type: 'string' },
  url: { type: 'string' },
  key: { type: 'string' },
  secret: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

/** Undefined if help is wanted. Throws a ListenFault for what cannot be done. */
export function readOptions(args: string[], data_dir = './data'): Options | undefined {
  const { values } = parse(args)
  if (values.help) return undefined
  const path = sandboxPath(resolve(data_dir))
  const sandbox = readSandbox(path)
  const { url = sandbox?.base_url, tenant, key, secret = makeSecret() } = values
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
  const kinds = values.events?.split(',').map((kind) => kind.trim().toUpperCase())
  return {
    ...{ url: addressOf('--url', url).replace(/\/+$/, ''), tenant, operator_key, secret },
    key: tenant === undefined ? (key ?? ownKey) : undefined,
    forward_to: addressIn('--forward-to', values['forward-to']),
    responder_to: addressIn('--responder-to', values['responder-to']),
    kinds: kinds && new Set(kinds),
    after: values.after ?? 'latest',
    json: values.json ?? false,
  }
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options, strict: true })
  } catch (error) {
    throw new ListenFault(`${error instanceof Error ? error.message : error}\n\n${USAGE}`)
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
