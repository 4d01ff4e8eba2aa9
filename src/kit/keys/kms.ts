/**
 * A key service as the wrapper of data keys: the transit engine of OpenBao or HashiCorp Vault. Its
 * key never leaves it; each data key is bound to its row by `associated_data`, so the transit key
 * is of an authenticated kind (aes256-gcm96, the default, or chacha20-poly1305).
 */

import { readFileSync } from 'node:fs'
import { type Static, Type } from 'typebox'
import { createAjv } from '#kit/http/schema.ts'
import { boundedText } from '#kit/net/bounded_text.ts'
import { codeOf, lineOf, StartError } from '#kit/start_error.ts'
import { Secret } from '#lib/secret.ts'
import type { KeyWrapper } from './keyring.ts'

export type KmsAddress = Readonly<{
  /** Without a trailing slash. */
  url: string
  /** The name of the transit key. */
  key: string
  /** The token, or a file with it, which is read at each call: an agent may renew it. */
  token: Secret | Readonly<{ file: string }>
}>

/** The time from the call to the last byte of the answer. */
const TIMEOUT_MS = 5_000
/** A wrapped data key has a hundred bytes. */
const ANSWER_MAX = 64 * 1024
const CIPHERTEXT = /^vault:v\d+:[\w+/=-]{1,1000}$/

const Wrapped = Type.Object({ data: Type.Object({ ciphertext: Type.String() }) })
const Unwrapped = Type.Object({ data: Type.Object({ plaintext: Type.String() }) })
const ajv = createAjv(false)
const isWrapped = ajv.compile<Static<typeof Wrapped>>(Wrapped)
const isUnwrapped = ajv.compile<Static<typeof Unwrapped>>(Unwrapped)

/** Both throw a StartError that states what to do, without the token and the key. */
export function transitWrapper(address: KmsAddress, patience_ms = TIMEOUT_MS): KeyWrapper {
  const call = callerOf(address, patience_ms)
  return {
    async wrap(key, name) {
      const answer = await call('encrypt', { plaintext: base64(key), ...bound(name) })
      if (!isWrapped(answer) || !CIPHERTEXT.test(answer.data.ciphertext)) throw unexpectedAnswer()
      return Buffer.from(answer.data.ciphertext)
    },
    async unwrap(wrapped, name) {
      const ciphertext = wrapped.toString('latin1')
      if (!CIPHERTEXT.test(ciphertext)) {
        throw new StartError(
          'the data keys of this database were not wrapped by a key service: set MASTER_KEY ' +
            'instead of KMS_URL, or move them with bezant keys rewrap',
        )
      }
      const answer = await call('decrypt', { ciphertext, ...bound(name) })
      if (!isUnwrapped(answer)) throw unexpectedAnswer()
      return Buffer.from(answer.data.plaintext, 'base64')
    },
  }
}

const base64 = (bytes: Buffer) => bytes.toString('base64')
const bound = (name: string) => ({ associated_data: base64(Buffer.from(name)) })
const unexpectedAnswer = () =>
  new StartError('the answer of the key service is not that of a transit engine: correct KMS_URL')

type Verb = 'encrypt' | 'decrypt'

function callerOf({ url, key, token }: KmsAddress, patience_ms: number) {
  return async (verb: Verb, body: object): Promise<unknown> => {
    const headers = { 'x-vault-token': tokenOf(token), 'content-type': 'application/json' }
    const { status, text } = await send(`${url}/v1/transit/${verb}/${encodeURIComponent(key)}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      // A redirect would send the data key to a host that is not configured.
      redirect: 'error',
      signal: AbortSignal.timeout(patience_ms),
    })
    if (status !== 200) throw new StartError(explanation(status, verb, key))
    try {
      return JSON.parse(text)
    } catch {
      throw unexpectedAnswer()
    }
  }
}

async function send(url: string, request: RequestInit): Promise<{ status: number; text: string }> {
  try {
    const answer = await fetch(url, request)
    return { status: answer.status, text: await boundedText(answer, ANSWER_MAX) }
  } catch (error) {
    const reason = reasonOf(error)
    throw new StartError(
      `the key service at KMS_URL does not answer (${reason}): start it, or correct KMS_URL`,
    )
  }
}

function tokenOf(token: KmsAddress['token']): string {
  if (token instanceof Secret) return token.reveal()
  try {
    return readFileSync(token.file, 'utf8').trim()
  } catch (error) {
    const reason = codeOf(error) ?? lineOf(error)
    throw new StartError(`KMS_TOKEN_FILE cannot be read (${reason}): let this account read it`)
  }
}

function explanation(status: number, verb: Verb, key: string): string {
  switch (status) {
    case 400:
      return `the key service does not ${verb} with ${key}: set KMS_KEY to the first one again`
    case 403:
      return (
        'the key service rejects the token: renew KMS_TOKEN, and let its policy update ' +
        `transit/encrypt/${key} and transit/decrypt/${key}`
      )
    case 404:
      return `the key service has no transit key ${key}: make it, or correct KMS_KEY`
    case 503:
      return 'the key service is sealed: unseal it'
  }
  return `the key service answered ${status}: look into its log`
}

/** fetch hides the reason behind its own error. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined
  if (error instanceof Error && error.name === 'TimeoutError') return 'no answer in time'
  return codeOf(cause) ?? codeOf(error) ?? lineOf(cause ?? error)
}
