/** The two APIs of the running sandbox, whose addresses and keys sandbox.json contains. */

import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { Fault } from '../../apps/cli/kit/faults.ts'
import { valueIn } from '../../apps/cli/kit/values.ts'
import { unreachable } from '../unreachable.ts'

/** The demo cannot continue; the message states why and what to do. */
export class DemoFault extends Fault {
  /** Of an answer that is an error. */
  readonly code: unknown

  constructor(message: string, code?: unknown) {
    super(message)
    this.code = code
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the demo prints what the API answers.
type Answer = any

type Keys = {
  base_url: string
  operator_key: string
  tenant: { id: string; name: string; api_key: string; currency: string }
  merchant: { name: string; public_key: string; private_key: string }
}

export type Sandbox = Keys & {
  issuing: (method: string, path: string, body?: object, key?: string) => Promise<Answer>
  merchantApi: (method: string, path: string, body?: object) => Promise<Answer>
}

export async function openSandbox(): Promise<Sandbox> {
  const path = join(resolve(process.env['DATA_DIR'] ?? './data'), 'sandbox.json')
  if (!existsSync(path)) throw new DemoFault(`${path} does not exist: start the server (npm start)`)
  const keys: Keys = JSON.parse(readFileSync(path, 'utf8'))
  const issuing: Sandbox['issuing'] = (method, route, body, key = keys.tenant.api_key) =>
    call(`${keys.base_url}/v1${route}`, method, { apikey: key }, body)
  await assertSandbox(keys)
  const { public_key, private_key } = keys.merchant
  const api = `${keys.base_url}/api/v1.0`
  const login = { public_key, private_key }
  const { token } = await call(`${api}/merchant/authentication/`, 'POST', {}, login)
  const merchantApi: Sandbox['merchantApi'] = (method, route, body) =>
    call(`${api}${route}`, method, { authorization: `Bearer ${token}` }, body)
  return { ...keys, issuing, merchantApi }
}

/** The demo issues cards and moves money: it does so only in a sandbox (D-330). */
async function assertSandbox({ base_url, tenant }: Keys): Promise<void> {
  const clock = await send(`${base_url}/v1/simulate/clock`, 'GET', { apikey: tenant.api_key })
  if (process.env['MODE'] !== 'live' && clock.status !== 404) return
  throw new DemoFault(`${base_url} is a live platform: the demo writes to a sandbox only`)
}

async function call(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Answer> {
  const reply = await send(url, method, headers, body)
  const text = await reply.text()
  if (!reply.ok) {
    const { code } = Object(valueIn(text))
    throw new DemoFault(`${method} ${url} answered ${reply.status}: ${text}`, code)
  }
  return JSON.parse(text)
}

function send(
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<Response> {
  return fetch(url, {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new DemoFault(unreachable(new URL(url).origin, error))
  })
}
