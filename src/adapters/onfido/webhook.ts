/** The notifications of Onfido. */

import type { WebhookEventVerifier } from '@onfido/api'
import type { CheckDone } from '#issuing/verification/provider.ts'
import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Secret } from '#lib/secret.ts'

const WEBHOOK_BYTES_MAX = 64 * 1024

export type Listen = (app: App, services: Services, done: CheckDone) => void

/**
 * Onfido notifies that a check is done; its report is fetched, so that only the API is trusted. An
 * account has one address for checks of both kinds, so all who listen learn of each.
 */
export function listener(webhook_token: Secret): Listen {
  const listening = new WeakMap<App, CheckDone[]>()
  return (app, services, done) => {
    const others = listening.get(app)
    if (others) return void others.push(done)
    const all = [done]
    listening.set(app, all)
    void app.register(async (scope) => {
      const { WebhookEventVerifier } = await import('@onfido/api')
      const verifier = new WebhookEventVerifier(webhook_token.reveal())
      scope.removeAllContentTypeParsers()
      scope.addContentTypeParser(
        'application/json',
        { parseAs: 'buffer', bodyLimit: WEBHOOK_BYTES_MAX },
        async (_request: unknown, bytes: Buffer) => bytes,
      )
      scope.post('/identity/onfido/webhook', async (request, reply) => {
        const check_id = checkReported(verifier, request.body, request.headers['x-sha2-signature'])
        if (check_id === undefined) return reply.code(403).send()
        if (check_id !== null) for (const one of all) await one(services, check_id)
        return reply.code(200).send()
      })
    })
  }
}

/**
 * The check that an event is about; null for other events, undefined if the body is not Onfido's.
 */
function checkReported(
  verifier: WebhookEventVerifier,
  body: unknown,
  signature: unknown,
): string | null | undefined {
  if (!Buffer.isBuffer(body) || typeof signature !== 'string') return undefined
  if (!/^[0-9a-f]{64}$/i.test(signature)) return undefined
  try {
    const { payload } = verifier.readPayload(body.toString('utf8'), signature)
    if (payload?.resource_type !== 'check') return null
    const id: unknown = payload.object?.id
    return typeof id === 'string' ? id : null
  } catch {
    return undefined
  }
}
