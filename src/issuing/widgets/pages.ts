/** The pages of the widgets, their loader and their requests, served at the root (D-40). */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { BoundedLines } from '#kit/bounded_lines.ts'
import type { Context } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { readAsset } from '#kit/http/answers/assets.ts'
import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { recordedAs } from '#kit/http/recording.ts'
import type { Log } from '#kit/log.ts'
import type { Html } from '#lib/html.ts'
import { ApiError } from '#lib/result.ts'
import { Secret } from '#lib/secret.ts'
import { CardDetails, PinChoice, TokenUse } from './schema.ts'
import { languageOf } from './texts.ts'
import { digestOf } from './token.ts'
import { noticeView, widgetView } from './views.ts'
import { activateCard, choosePin, contextOf, showDetails, visitOf } from './widgets.ts'

const ASSET_SECONDS = 3600
/** The largest body: a token and a PIN fit. */
const BODY_BYTES = 1024
/** The bytes of a token's digest that name it among all. */
const ACTOR_BYTES = 16

/** `publicUrl` without a slash at its end. */
type Parts = { services: Services; publicUrl: () => string; log: Log }

/** Pages of other origins load the loader, also with a cross-origin embedder policy. */
const assets = [
  { path: '/widgets/loader.js', file: 'loader.js', policy: 'cross-origin' },
  { path: '/widgets/assets/widget.js', file: 'widget.js', policy: 'same-origin' },
  { path: '/widgets/assets/widget.css', file: 'widget.css', policy: 'same-origin' },
].map((asset) => ({
  ...asset,
  ...readAsset(new URL(`assets/${asset.file}`, import.meta.url)),
}))

export function widgetPages(app: App, parts: Parts): void {
  for (const { path, type, policy, text } of assets) {
    app.get(path, async (_request, reply) =>
      reply
        .type(type)
        .header('cache-control', `public, max-age=${ASSET_SECONDS}`)
        .header('cross-origin-resource-policy', policy)
        .send(text),
    )
  }
  serveFrame(app, parts)
  serveActions(app, parts)
}

function serveFrame(app: App, { services, log }: Parts): void {
  const lines = new BoundedLines(log)
  void app.register(async (scope) => {
    scope.setErrorHandler((error, request, reply) => {
      const status = statusOf(error)
      if (status >= 500) lines.writeFailure(error, { request_id: request.id }, 'widget page')
      const notice = status === 404 ? 'unknown' : 'failed'
      return show(reply.code(status), noticeView(languageIn(request), notice), "'none'")
    })
    scope.get('/widgets/frame', async (request, reply) => {
      const { token } = Object(request.query)
      const text = typeof token === 'string' ? token : ''
      const visit = await visitOf(await contextOf(services, text), text)
      return show(reply, widgetView(languageIn(request), visit), visit.origin)
    })
  })
}

/**
 * The requests of the pages. Only the token identifies the card: there are no cookies. Errors have
 * the format of API errors.
 */
function serveActions(app: App, { services, publicUrl, log }: Parts): void {
  const guard = async (request: FastifyRequest) => assertOwnPage(request, publicUrl())
  const optionsFor = (body: object) => ({
    bodyLimit: BODY_BYTES,
    onRequest: guard,
    schema: { body },
  })
  app.post<{ Body: TokenUse }>(
    '/widgets/api/details',
    { ...optionsFor(TokenUse), schema: { body: TokenUse, response: { 200: CardDetails } } },
    async (request) => {
      const { token } = request.body
      const ctx = await recordedVisit(services, request, {
        operation: 'showCardInWidget',
        token,
        status: 200,
      })
      const { id, card_number, expiry_date, cvv2 } = await showDetails(ctx, token)
      log.info({ tenant_id: ctx.tenant_id, card_id: id }, 'card details were shown in a widget')
      return { card_number: card_number.reveal(), expiry_date, cvv2: cvv2.reveal() }
    },
  )
  app.post<{ Body: PinChoice }>(
    '/widgets/api/pin',
    optionsFor(PinChoice),
    async (request, reply) => {
      const { token, pin } = request.body
      const ctx = await recordedVisit(services, request, {
        operation: 'setPinInWidget',
        token,
        status: 204,
      })
      await choosePin(ctx, token, new Secret(pin))
      return reply.code(204).send()
    },
  )
  app.post<{ Body: TokenUse }>(
    '/widgets/api/activate',
    optionsFor(TokenUse),
    async (request, reply) => {
      const { token } = request.body
      const visit = { operation: 'activateCardInWidget', token, status: 204 }
      await activateCard(await recordedVisit(services, request, visit), token)
      return reply.code(204).send()
    },
  )
}

type RecordedVisit = { operation: string; token: string; status: number }

/** Its audit record names the token by its digest, which opens nothing (D-500). */
async function recordedVisit(
  services: Services,
  request: FastifyRequest,
  { operation, token, status }: RecordedVisit,
): Promise<Context> {
  const actor = { kind: 'widget', id: digestOf(token).toString('hex', 0, ACTOR_BYTES) }
  const ctx = await contextOf(services, token)
  return recordedAs(ctx, request, {
    operation,
    status,
    actor,
    content: JSON.stringify(request.body),
  })
}

/** The Origin header must name this server, by the header Host or the public URL. */
function assertOwnPage({ headers }: FastifyRequest, publicUrl: string): void {
  const sender = URL.parse(headers.origin ?? '')?.host
  // Fastify's own `host` is that of X-Forwarded-Host behind a trusted proxy (D-1004).
  const host = headers.host ?? headers[':authority']
  if (sender !== host && sender !== new URL(publicUrl).host) {
    throw new ApiError('widget_page_foreign')
  }
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.code === 'widget_token_invalid' ? 404 : 400
  return error instanceof DatabaseUnavailable ? 503 : 500
}

function languageIn({ query, headers }: FastifyRequest) {
  const { lang } = Object(query)
  return languageOf(String(lang ?? ''), headers['accept-language'] ?? '')
}

/** `framedBy` is the only origin that may frame the page, which loads only from this server. */
function show(reply: FastifyReply, view: Html, framedBy: string): FastifyReply {
  return reply
    .headers({
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; " +
        "connect-src 'self'; base-uri 'none'; form-action 'none'; " +
        `frame-ancestors ${framedBy}`,
      'referrer-policy': 'no-referrer',
    })
    .type('text/html; charset=utf-8')
    .send(view.text)
}
