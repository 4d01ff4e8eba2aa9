/** The two APIs of the running sandbox, whose addresses and keys sandbox.json contains. */

import { StartError } from '#kit/start_error.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { readSandbox, type SandboxFile } from '#sandbox/seed/file.ts'
import { Fault } from '../../kit/faults.ts'
import { dataFolder } from '../../kit/platform.ts'
import { valueIn } from '../../kit/values.ts'
import { noSandbox, unreachable } from '../unreachable.ts'

/** The demo cannot continue; the message states why and what to do. */
export class DemoFault extends Fault {
  /** The code of an answer that is an error. */
  readonly code: unknown

  constructor(message: string, code?: unknown) {
    super(message)
    this.code = code
  }
}

// biome-ignore lint/suspicious/noExplicitAny: the demo prints what the API answers.
type Answer = any

export type Sandbox = SandboxFile & {
  issuing: (method: string, path: string, body?: object, key?: string) => Promise<Answer>
  merchantApi: (method: string, path: string, body?: object) => Promise<Answer>
}

export async function openSandbox(): Promise<Sandbox> {
  const keys = readKeys()
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

function readKeys(): SandboxFile {
  const path = sandboxPath(dataFolder())
  try {
    const keys = readSandbox(path)
    if (keys) return keys
  } catch (error) {
    if (error instanceof StartError) throw new DemoFault(error.message)
    throw error
  }
  throw new DemoFault(noSandbox(path))
}

/** The demo issues cards and moves money: it does so only in a sandbox (D-330). */
async function assertSandbox({ base_url, tenant }: SandboxFile): Promise<void> {
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
