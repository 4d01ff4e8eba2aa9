/** Calls of Onfido's API by its official client (v3.6), which does not read what it is answered. */

import type { DefaultApi } from '@onfido/api'
import { ProviderFailure } from '#issuing/verification/provider.ts'
import { DOCUMENT_BYTES_MAX } from './rules.ts'
import type { OnfidoSettings } from './settings.ts'

const ANSWER_BYTES_MAX = 4 * 1024 * 1024
/** A document and the form around it. */
const REQUEST_BYTES_MAX = DOCUMENT_BYTES_MAX + 64 * 1024
/** The answer when the applicant has no document that could be checked. */
export const UNPROCESSABLE = 422

/** The client is large: only a deployment that uses it loads it. */
export function openClient(settings: OnfidoSettings, patience_ms: number) {
  let made: Promise<DefaultApi> | undefined
  return (): Promise<DefaultApi> => {
    made ??= clientOf(settings, patience_ms)
    return made
  }
}

async function clientOf(
  { api_token, region, base_url }: OnfidoSettings,
  patience_ms: number,
): Promise<DefaultApi> {
  const { Configuration, DefaultApi, Region } = await import('@onfido/api')
  const baseOptions = {
    timeout: patience_ms,
    maxRedirects: 0,
    maxContentLength: ANSWER_BYTES_MAX,
    maxBodyLength: REQUEST_BYTES_MAX,
    proxy: false,
  }
  return new DefaultApi(
    new Configuration({
      apiToken: api_token.reveal(),
      region: Region[region],
      ...(base_url !== undefined && { basePath: base_url }),
      baseOptions,
    }),
  )
}

/**
 * Calls the client; its errors carry the API token in their headers, so they end here. Undefined
 * for the one status that the caller expects.
 */
export async function callOnfido<Answer>(call: () => Promise<Answer>): Promise<Answer>
export async function callOnfido<Answer>(
  call: () => Promise<Answer>,
  expected: number,
): Promise<Answer | undefined>
export async function callOnfido<Answer>(
  call: () => Promise<Answer>,
  expected?: number,
): Promise<Answer | undefined> {
  try {
    return await call()
  } catch (error) {
    const { response, code } = Object(error)
    const status: unknown = Object(response).status
    if (typeof status !== 'number') throw new ProviderFailure(`Onfido did not answer: ${code}`)
    if (status === expected) return undefined
    throw new ProviderFailure(`Onfido answered ${status}`)
  }
}

/** Half an answer would look like none. */
export function idIn(data: { id?: string }): string {
  const id: unknown = Object(data).id
  if (typeof id === 'string' && id !== '') return id
  throw new ProviderFailure('Onfido answered without an id')
}

export function listIn<Name extends string, Item>(data: Record<Name, Item[]>, name: Name): Item[] {
  const list: unknown = Object(data)[name]
  if (!Array.isArray(list)) throw new ProviderFailure(`Onfido answered without ${name}`)
  return data[name]
}
