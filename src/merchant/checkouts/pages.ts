/** The hosted payment page (D-83): served at the root of the server, for people. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Context } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { readAsset } from '#kit/http/answers/assets.ts'
import type { App } from '#kit/http/app.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import type { Log } from '#kit/log.ts'
import type { Html } from '#lib/html.ts'
import { ApiError } from '#lib/result.ts'
import { isCleanText } from '#lib/text.ts'
import { getMerchant, type MerchantRow } from '#merchant/merchants/merchants.ts'
import {
  type CheckoutRow,
  findCheckout,
  findSuccessor,
  type PaymentServices,
  pay,
} from './checkouts.ts'
import { placeOf, readPageQuery } from './page_id.ts'
import { type CardField, readCard } from './rules/card.ts'
import { languageOf } from './texts.ts'
import * as views from './views.ts'

const FORM_BYTES = 8 * 1024
const ASSET_SECONDS = 3600
const FRAMES = ['iframe', 'frame', 'embed', 'object']

type Parts = { services: Services; api: PaymentServices; log: Log }
type Visit = { ctx: Context; checkout: CheckoutRow; merchant: MerchantRow; page_key: string }

const assets = ['checkout.css', 'checkout.js'].map((name) => ({
  name,
  ...readAsset(new URL(`assets/${name}`, import.meta.url)),
}))

export function checkoutPages(app: App, { services, api, log }: Parts): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: unknown, text: string) => new URLSearchParams(text),
    )
    scope.setErrorHandler((error, request, reply) => {
      const status = statusOf(error)
      if (status >= 500) log.error({ err: error, request_id: request.id }, 'payment page')
      return show(reply.code(status), failureView(placeIn(api, request), status, request.method))
    })
    scope.get('/checkout', async (request, reply) => {
      const visit = await find(services, request)
      return present(api, request, reply, visit, {})
    })
    scope.post('/checkout', async (request, reply) => {
      const visit = await find(services, request)
      return takeForm(api, request, reply, visit)
    })
    for (const { name, type, text } of assets) {
      scope.get(`/checkout/assets/${name}`, async (_request, reply) =>
        reply.type(type).header('cache-control', `public, max-age=${ASSET_SECONDS}`).send(text),
      )
    }
  })
}

async function takeForm(
  api: PaymentServices,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
): Promise<FastifyReply> {
  const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
  const typed = (name: string) => {
    const text = form.get(name) ?? ''
    return isCleanText(text) ? text : ''
  }
  if (visit.checkout.status !== 'OPEN') return present(api, request, reply, visit, {})
  const read = readCard(
    { card_number: typed('card_number'), expiry: typed('expiry'), cvv2: typed('cvv2') },
    visit.ctx.now,
  )
  if (!read.ok) {
    const faults = (read.errors ?? []).map(({ path }) => path as CardField)
    return present(api, request, reply, visit, { faults })
  }
  const { ctx, page_key } = visit
  const { checkout, stale } = await pay(ctx, api, page_key, typed('form_token'), read.value)
  return present(api, request, reply, { ...visit, checkout }, { stale })
}

/** Sends the page of the checkout's status: its form, its end, or the redirect to the shop. */
async function present(
  api: PaymentServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { ctx, checkout, merchant }: Visit,
  outcome: views.FormOutcome,
): Promise<FastifyReply> {
  const place = placeIn(api, request)
  const { status, in_doubt } = checkout
  reply.headers(protection(checkout, merchant))
  if (status === 'PAID') return backToShop(request, reply, place, checkout)
  if (status === 'PAYING') {
    return show(reply, views.processingView(place, in_doubt ? 'checking' : 'processing'))
  }
  if (status !== 'OPEN' || checkout.expires <= ctx.now) {
    const successor = await findSuccessor(ctx, checkout)
    if (status === 'REJECTED' && !successor) return backToShop(request, reply, place, checkout)
    return show(reply.code(410), endedView(place, status, successor))
  }
  const { display_reference, description } = checkout.request
  const details = {
    ...checkout,
    display_reference: String(display_reference),
    description: description ?? '',
  }
  const isFaulty = (outcome.faults ?? []).length > 0
  return show(reply.code(isFaulty ? 422 : 200), views.formView(place, merchant, details, outcome))
}

/** By a redirect, or inside a frame by a page that sends a message to the shop's page. */
function backToShop(
  request: FastifyRequest,
  reply: FastifyReply,
  place: views.Place,
  checkout: CheckoutRow,
): FastifyReply {
  const paid = checkout.status === 'PAID'
  const urls = {
    confirm_callback_url: hrefOf(checkout.confirm_callback_url),
    reject_callback_url: hrefOf(checkout.reject_callback_url),
  }
  if (!isFramed(request)) {
    return reply.redirect(paid ? urls.confirm_callback_url : urls.reject_callback_url, 303)
  }
  const status = paid ? ('SUCCESS' as const) : ('FAILED' as const)
  return show(reply, views.resultView(place, { status, ...urls }))
}

/** An ended page shows only what is certain: another page may have paid its order. */
function endedView(
  place: views.Place,
  status: CheckoutRow['status'],
  successor: CheckoutRow | undefined,
) {
  if (successor?.status === 'PAID') {
    return views.endedView(place, 'paid_elsewhere', hrefOf(successor.confirm_callback_url))
  }
  if (successor) return views.endedView(place, 'paying_elsewhere', undefined)
  return views.endedView(place, status === 'SUPERSEDED' ? 'replaced' : 'ended', undefined)
}

/** Addresses of checkouts made before D-128 may contain characters that a header cannot. */
const hrefOf = (url: string): string => new URL(url).href

/** After an error during a payment its outcome is not known, so the page keeps checking it. */
function failureView(place: views.Place, status: number, method: string) {
  if (status >= 500 && method === 'POST') return views.processingView(place, 'checking')
  return views.noticeView(place, status === 404 ? 'unknown' : 'failed')
}

/** Fails with `not_found` for an id that is malformed, of another tenant or unknown. */
async function find(services: Services, request: FastifyRequest): Promise<Visit> {
  const place = placeOf(readPageQuery(request.url).id)
  if (!place) throw new ApiError('not_found')
  const actor = { kind: 'system', id: 'checkout page' } as const
  const ctx = await tenantContext(services, place.tenant_id, actor).catch((error: unknown) => {
    throw error instanceof DatabaseUnavailable ? error : new ApiError('not_found')
  })
  const checkout = await findCheckout(ctx, place.page_key)
  if (!checkout) throw new ApiError('not_found')
  const merchant = await getMerchant(ctx, checkout.merchant_id)
  return { ctx, checkout, merchant, page_key: place.page_key }
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.code === 'not_found' ? 404 : 400
  if (error instanceof DatabaseUnavailable) return 503
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? status : 500
}

function placeIn(api: PaymentServices, { url }: FastifyRequest): views.Place {
  const { id, lang } = readPageQuery(url)
  const base = new URL(api.publicUrl()).pathname.replace(/\/$/, '')
  return { id, language: languageOf(lang), base }
}

/** Known from a header of the browser, or from the page's script where the header is absent. */
function isFramed({ headers, body }: FastifyRequest): boolean {
  const mark = body instanceof URLSearchParams && body.get('framed') === '1'
  return mark || FRAMES.includes(String(headers['sec-fetch-dest'] ?? ''))
}

/**
 * Only the shop's own pages may frame it. Its callback addresses are among the targets of the
 * form, because browsers apply the same list to the redirect after a form.
 */
function protection(checkout: CheckoutRow, { callback_hosts }: MerchantRow) {
  const { confirm_callback_url, reject_callback_url } = checkout
  const shops = [confirm_callback_url, reject_callback_url].map((url) => new URL(url).origin)
  const hosts = callback_hosts.map((host) => `https://${host}`)
  const targets = [...new Set(shops)].join(' ')
  const frames = [...new Set([...shops, ...hosts])].join(' ')
  return {
    'content-security-policy': policy(`'self' ${targets}`, `'self' ${frames}`),
    'referrer-policy': 'no-referrer',
  }
}

const policy = (targets: string, frames: string) =>
  "default-src 'none'; style-src 'self'; font-src 'self'; script-src 'self'; base-uri 'none'; " +
  `form-action ${targets}; frame-ancestors ${frames}`

function show(reply: FastifyReply, view: Html): FastifyReply {
  if (!reply.hasHeader('content-security-policy')) {
    reply.header('content-security-policy', policy("'none'", "'none'"))
  }
  return reply.type('text/html; charset=utf-8').send(view.text)
}
