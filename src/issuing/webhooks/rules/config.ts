/** Which credentials and headers a subscription may have (D-63). */

import type { Fault } from '#lib/result.ts'

/** Sealed at rest. Header values may be credentials too. */
export type Credentials = {
  basic_auth_password: string | null
  custom_headers: readonly CustomHeader[]
}

export type CustomHeader = { header_name: string; header_value: string }

export type Config = Credentials & { basic_auth_username: string | null }

/** The headers that the transport or the delivery itself sets; a client may not set them. */
const TAKEN = new Set([
  'host',
  'content-length',
  'content-type',
  'content-encoding',
  'transfer-encoding',
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'date',
  'user-agent',
  'proxy-authenticate',
  'http2-settings',
])
/** Names of members that every object has: the first would be set and never sent. */
const OF_OBJECTS = new Set(['__proto__', 'constructor', 'prototype'])
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const PRINTABLE = /^[\x21-\x7e](?:[\x20-\x7e\t]*[\x21-\x7e])?$/
/** A colon would end the name (RFC 7617); control characters may not be sent. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is rejected here.
const CONTROL = /[\u0000-\u001f\u007f]/

/** Every fault of the configuration as it would be; the schema has bounded lengths and counts. */
export function faultsOfConfig(config: Config): Fault[] {
  const { basic_auth_username: username, basic_auth_password: password } = config
  const faults: Fault[] = []
  const add = (member: string, message: string) =>
    faults.push({ path: `config.${member}`, message })

  if (username !== null && password === null) {
    add('basic_auth_password', 'is required with basic_auth_username')
  }
  if (username === null && password !== null) {
    add('basic_auth_username', 'is required with basic_auth_password')
  }
  if (username !== null && (username.includes(':') || CONTROL.test(username))) {
    add('basic_auth_username', 'must hold neither a colon nor control characters')
  }
  if (password !== null && CONTROL.test(password)) {
    add('basic_auth_password', 'must not hold control characters')
  }
  const names = config.custom_headers.map(({ header_name }) => header_name.toLowerCase())
  for (const [at, { header_name, header_value }] of config.custom_headers.entries()) {
    const name = header_name.toLowerCase()
    const fault = faultOfName(name, names.indexOf(name) < at, username !== null)
    if (fault !== undefined) add(`custom_headers.${at}.header_name`, fault)
    if (!PRINTABLE.test(header_value)) {
      add(`custom_headers.${at}.header_value`, 'must be printable ASCII without space at its ends')
    }
  }
  return faults
}

function faultOfName(name: string, repeated: boolean, hasBasic: boolean): string | undefined {
  if (!TOKEN.test(name)) return 'is not a header name'
  if (OF_OBJECTS.has(name)) return 'is not a name that can be sent'
  if (TAKEN.has(name) || name.startsWith('webhook-')) return 'is set by the platform'
  if (name === 'authorization' && hasBasic) return 'is set by basic_auth_username'
  return repeated ? 'is named twice' : undefined
}
