/** The calls that the present page has made: the drawer "API" lists them (D-593). */

export type Call = {
  id: number
  method: string
  /** The path with its query, from the root of the program. */
  path: string
  /** JSON that was sent; '' where none was. */
  body: string
  /** The parts of a form that was sent instead, as curl names them. */
  form?: readonly string[]
  /** The header that names the tenant, of the operator's team. */
  tenant?: string
  /** 0 until the answer arrives. */
  status: number
  ms: number
}

/** A page that polls, or runs a day of traffic, makes many calls: the oldest are dropped. */
export const MOST_CALLS = 30
const SECRETS = [
  ...['password', 'code', 'challenge', 'token', 'pin', 'cvv2', 'card_number'],
  ...['components', 'key_block', 'basic_auth_password', 'header_value'],
]

let calls: readonly Call[] = []
let next = 1
const listeners = new Set<() => void>()

function change(to: readonly Call[]): void {
  calls = to
  for (const listener of listeners) listener()
}

export const readCalls = (): readonly Call[] => calls
export const forgetCalls = (): void => change([])

export function hearCalls(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function addCall(call: Omit<Call, 'id' | 'status' | 'ms'>): number {
  const id = next++
  const same = calls.filter(({ method, path }) => method !== call.method || path !== call.path)
  change(
    [...(call.method === 'GET' ? same : calls), { ...call, id, status: 0, ms: 0 }].slice(
      -MOST_CALLS,
    ),
  )
  return id
}

export function endCall(id: number, status: number, ms: number): void {
  change(calls.map((call) => (call.id === id ? { ...call, status, ms } : call)))
}

/** The command that makes the same call with a key, or with a session where keys are not accepted. */
export function curlOf(call: Omit<Call, 'id' | 'status' | 'ms'>): string {
  const { method, path, body, form = [], tenant } = call
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${location.origin}${path}'`]
  lines.push(...credentialsOf(call))
  if (tenant !== undefined) lines.push(`-H '${tenant}'`)
  if (body !== '') {
    lines.push(`-H 'content-type: application/json'`, `-d '${withoutSecrets(body)}'`)
  }
  lines.push(...form.map((part) => `-F '${part.replaceAll("'", "'\\''")}'`))
  return lines.join(' \\\n  ')
}

/** A key belongs to its tenant: only a session names one. */
function credentialsOf({ method, path, tenant }: Pick<Call, 'method' | 'path' | 'tenant'>) {
  const isKeyed = tenant === undefined
  if (isKeyed && path.startsWith('/v1/')) return [`-H "apikey: $BEZANT_API_KEY"`]
  if (isKeyed && path.startsWith('/api/')) return [`-H "authorization: Bearer $BEZANT_TOKEN"`]
  const cookie = location.protocol === 'https:' ? '__Host-bezant_session' : 'bezant_session'
  const origin = method === 'GET' ? [] : [`-H 'origin: ${location.origin}'`]
  return [`-b "${cookie}=$BEZANT_SESSION"`, ...origin]
}

function withoutSecrets(body: string): string {
  const shown = JSON.stringify(JSON.parse(body), (name, value) =>
    SECRETS.includes(name) ? '…' : value,
  )
  return shown.replaceAll("'", "'\\''")
}
