/** The addresses of receivers, at the root of the server, in sandbox (D-640). */

import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyRequest } from 'fastify'
import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { RECEIVERS_PATH, receive } from './receiver.ts'

declare module '#kit/profile.ts' {
  interface Profile {
    /** A tenant may receive its webhooks at addresses of the program (D-640). */
    readonly webhook_receivers: boolean
  }
}

const BODY_BYTES = 256 * 1024
/** Answers that are delayed at one time in one process; further ones are not. */
const DELAYED_MAX = 200

export const receiverPages =
  (publicUrl: () => string) =>
  (app: App, services: Services): void => {
    if (!services.profile.webhook_receivers) return
    let delayed = 0
    void app.register(async (scope) => {
      // Signatures are over the bytes as they came.
      scope.removeAllContentTypeParsers()
      const options = { parseAs: 'buffer', bodyLimit: BODY_BYTES } as const
      scope.addContentTypeParser(
        '*',
        options,
        async (_request: FastifyRequest, body: Buffer) => body,
      )
      scope.post(`${RECEIVERS_PATH}/:token`, async (request, reply) => {
        const { answer_status, delay_ms } = await receive(services, publicUrl(), arrivedIn(request))
        if (delay_ms > 0 && delayed < DELAYED_MAX) {
          delayed += 1
          await pause(delay_ms, undefined, { ref: false })
          delayed -= 1
        }
        return reply
          .code(answer_status)
          .type('application/json; charset=utf-8')
          .send(JSON.stringify({ received: true }))
      })
    })
  }

function arrivedIn({ params, headers, raw, body }: FastifyRequest) {
  const { token } = Object(params)
  return {
    token: typeof token === 'string' ? token : '',
    raw_headers: raw.rawHeaders,
    header: (name: string) => {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  }
}
