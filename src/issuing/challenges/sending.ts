/**
 * Sends one-time codes without a lock, a connection or a request that waits (D-1175). The code is
 * only in the memory of the process that made it: one that ends before it was sent leaves the
 * sending PENDING, and the payment gets another challenge. A code that may have arrived is never
 * FAILED.
 */

import { readSettings, signingOf } from '#issuing/tenants/tenants.ts'
import type { Context } from '#kit/context.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import type { Log } from '#kit/log.ts'
import type { Outcome } from '#kit/net/exchange.ts'
import { createOutgoing, type Outgoing } from '#kit/net/fetch.ts'
import { signatureHeaders } from '#kit/net/signature.ts'
import { mailOf } from './mail.ts'
import type { CodeMailer, CodeMessage, Messenger } from './provider.ts'
import type { Sending } from './schema.ts'
import { updateSending } from './store.ts'

/** How long the server of a tenant may take. */
const SERVER_MS = 5_000
/** Sent at one time by a process; a code beyond these is not sent. */
const AT_ONCE_MAX = 256
const ACTOR = { kind: 'system', id: 'challenges' } as const

type Parts = { services: Services; log: Log; mailer?: CodeMailer | undefined }

export function createMessenger({ services, log, mailer }: Parts): Messenger {
  const outgoing = createOutgoing()
  let running = 0
  const send = async (message: CodeMessage): Promise<void> => {
    const ctx = await tenantContext(services, message.tenant_id, ACTOR)
    const isMail = message.challenge.messenger === 'MAIL'
    const sent = isMail ? await mailed(mailer, ctx, message) : await posted(outgoing, ctx, message)
    await updateSending(ctx, message.challenge.id, sent)
  }
  const refuse = async ({ tenant_id, challenge }: CodeMessage): Promise<void> =>
    updateSending(await tenantContext(services, tenant_id, ACTOR), challenge.id, 'FAILED')
  return {
    sends_mails: mailer !== undefined,
    send(message) {
      const isFull = running >= AT_ONCE_MAX
      running += 1
      const { id: challenge_id } = message.challenge
      void (isFull ? refuse(message) : send(message))
        .catch((err: unknown) => log.warn({ err, challenge_id }, 'a sending was not recorded'))
        .finally(() => {
          running -= 1
        })
    },
  }
}

async function mailed(
  mailer: CodeMailer | undefined,
  ctx: Context,
  message: CodeMessage,
): Promise<Sending> {
  if (!mailer || message.email === null) return 'FAILED'
  const mail = await mailOf(ctx, { ...message, email: message.email })
  try {
    await mailer(mail)
    return 'SENT'
  } catch (error) {
    return Object(error).permanent === true ? 'FAILED' : 'UNKNOWN'
  }
}

async function posted(
  outgoing: Outgoing,
  ctx: Context,
  { challenge, code }: CodeMessage,
): Promise<Sending> {
  const { challenge_url: url, allow_private_endpoints: allow_private } = await readSettings(ctx)
  if (url === undefined) return 'FAILED'
  const { keys, real_now } = await signingOf(ctx)
  const body = JSON.stringify({ challenge, code: code.reveal() })
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Bezant-Challenges/1',
    ...signatureHeaders(keys, challenge.id, body, real_now),
  }
  return sendingOf(
    await outgoing.post({ url, headers, body, allow_private, timeout_ms: SERVER_MS }),
  )
}

/** A server that refuses a code has not passed it on; all but that and 2xx leaves it open. */
function sendingOf(outcome: Outcome): Sending {
  if (outcome.kind !== 'answered') return 'UNKNOWN'
  if (outcome.status >= 200 && outcome.status < 300) return 'SENT'
  return outcome.status >= 400 && outcome.status < 500 ? 'FAILED' : 'UNKNOWN'
}
