/** The hosted payment page (D-83): served at the root of the server, for people. */

import type { FastifyReply, FastifyRequest } from 'fastify'
import { BoundedLines } from '#kit/bounded_lines.ts'
import type { Context } from '#kit/context.ts'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Log } from '#kit/log.ts'
import type { Html } from '#lib/html.ts'
import { ApiError } from '#lib/result.ts'
import type { MerchantRow } from '#merchant/merchants/merchants.ts'
import { assetAddresses, serveAssets } from './assets.ts'
import {
  type Challenge,
  type CheckoutRow,
  findPage,
  findSuccessor,
  isLate,
  isOpen,
  type PaymentServices,
  takesPayments,
} from './checkouts.ts'
import { offerOf, removeChosen } from './chosen.ts'
import { placeOf, readPageQuery } from './page_id.ts'
import { detailsOf, homeOf, hrefOf } from './present.ts'
import { pagePolicy, policyOf } from './protection.ts'
import { type TestCardKind, testCardKinds } from './provider.ts'
import { takeForm } from './submitted.ts'
import { languageOf } from './texts.ts'
import { challengeView } from './views/challenge.ts'
import { makeCardsView, noticeView, type Order, resultView } from './views/ends.ts'
import { formView } from './views/form.ts'
import { type Place, queryOf } from './views/layout.ts'
import type { Outcome } from './views/outcome.ts'

const FORM_BYTES = 8 * 1024
const FRAMES = ['iframe', 'frame', 'embed', 'object']

type Parts = { services: Services; api: PaymentServices; log: Log }
type Visit = { ctx: Context; checkout: CheckoutRow; merchant: MerchantRow }

export function checkoutPages(app: App, { services, api, log }: Parts): void {
  const lines = new BoundedLines(log)
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', bodyLimit: FORM_BYTES },
      async (_request: unknown, text: string) => new URLSearchParams(text),
    )
    scope.setErrorHandler((error, request, reply) => {
      const status = statusOf(error)
      if (status >= 500) lines.writeFailure(error, { request_id: request.id }, 'payment page')
      return show(reply.code(status), failureView(placeIn(api, request), status, request))
    })
    scope.get('/checkout', async (request, reply) => {
      const visit = await find(services, request)
      const kind = kindIn(visit, request)
      if (kind) return fillIn(api, request, reply, visit, kind)
      const outcome: Outcome = isLate(visit.ctx, visit.checkout) ? { notice: 'late' } : {}
      return present(api, request, reply, visit, outcome)
    })
    scope.post('/checkout', async (request, reply) => {
      const visit = await find(services, request)
      const { checkout, outcome } = await takeForm(api, { ...visit, body: request.body })
      return present(api, request, reply, { ...visit, checkout }, outcome)
    })
    scope.post('/checkout/testcards', async (request, reply) => {
      const visit = await find(services, request)
      const kind = kindIn(visit, request)
      if (!kind) throw new ApiError('not_found')
      await api.testCards?.make(visit.ctx, visit.checkout)
      const { base, ...place } = placeIn(api, request)
      return reply.redirect(`${base}/checkout?${queryOf(place)}&card=${kind}`, 303)
    })
    scope.post('/checkout/keptcards', async (request, reply) => {
      const { ctx, checkout } = await find(services, request)
      const form = request.body instanceof URLSearchParams ? request.body : new URLSearchParams()
      const [token, id] = ['form_token', 'kept_card'].map((name) => form.get(name) ?? '')
      await removeChosen(ctx, checkout, token ?? '', id ?? '')
      const { base, ...place } = placeIn(api, request)
      return reply.redirect(`${base}/checkout?${queryOf(place)}`, 303)
    })
    serveAssets(scope)
  })
}

/** The test card that the address names, if the form is open and payments are tests. */
function kindIn(
  { ctx, checkout, merchant }: Visit,
  { url }: FastifyRequest,
): TestCardKind | undefined {
  const { card } = readPageQuery(url)
  const takesPayment = isOpen(ctx, checkout) && takesPayments(merchant)
  if (!ctx.profile.test_payments || !takesPayment) return undefined
  return testCardKinds.find((kind) => kind === card)
}

/** The form with a test card, or the page that makes test cards. */
async function fillIn(
  api: PaymentServices,
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  kind: TestCardKind,
): Promise<FastifyReply> {
  const { ctx, checkout, merchant } = visit
  const card = await api.testCards?.find(ctx, kind, checkout)
  if (card) return present(api, request, reply, visit, { picked: { kind, card } })
  reply.headers(pagePolicy(checkout, merchant, detailsOf(ctx, checkout).summary))
  return show(reply, makeCardsView(placeIn(api, request), merchant, kind))
}

/** Sends the page of the checkout's status: its form, its end, or the redirect to the shop. */
async function present(
  api: PaymentServices,
  request: FastifyRequest,
  reply: FastifyReply,
  { ctx, checkout, merchant }: Visit,
  { challenge, ...outcome }: Outcome,
): Promise<FastifyReply> {
  const place = placeIn(api, request)
  const { status, in_doubt } = checkout
  const details = detailsOf(ctx, checkout)
  reply.headers(pagePolicy(checkout, merchant, details.summary))
  const finished = { place, checkout, merchant, order: details }
  if (status === 'PAID') return backToShop(request, reply, finished)
  if (status === 'PAYING') {
    const end = { shop: merchant, order: details, back_url: homeOf(checkout) }
    return show(reply, noticeView(place, in_doubt ? 'checking' : 'processing', end))
  }
  if (!isOpen(ctx, checkout)) {
    const successor = await findSuccessor(ctx, checkout)
    if (status === 'REJECTED' && !successor) return backToShop(request, reply, finished)
    const { notice, back_url } = endingOf(checkout, successor)
    const { display_reference, currency, amount } = details
    // A newer page may have another amount.
    const order = { display_reference, currency, ...(notice === 'ended' && { amount }) }
    return show(reply.code(410), noticeView(place, notice, { shop: merchant, order, back_url }))
  }
  if (!takesPayments(merchant)) {
    const end = { shop: merchant, order: details, back_url: homeOf(checkout) }
    return show(reply.code(403), noticeView(place, 'closed', end))
  }
  if (challenge) {
    return show(reply.code(codeOf(challenge)), challengeView(place, merchant, details, challenge))
  }
  const kept = await offerOf(ctx, checkout, merchant, outcome)
  const form = formView(place, merchant, { ...details, kept }, outcome)
  return show(reply.code(outcome.faults ? 422 : 200), form)
}

const codeOf = ({ verdict }: Challenge): number =>
  ['empty', 'unreadable', 'wrong'].includes(verdict) ? 422 : 200

type Finished = { place: Place; order: Order } & Pick<Visit, 'checkout' | 'merchant'>

/**
 * Leads back by a redirect, or by a page: inside a frame it sends a message to the shop's page, and
 * where the script runs it shows the tick of a payment before it leaves.
 */
function backToShop(
  request: FastifyRequest,
  reply: FastifyReply,
  { place, checkout, merchant, order }: Finished,
): FastifyReply {
  const paid = checkout.status === 'PAID'
  const urls = {
    confirm_callback_url: hrefOf(checkout.confirm_callback_url),
    reject_callback_url: hrefOf(checkout.reject_callback_url),
  }
  if (!isFramed(request) && !(paid && isTicked(request))) {
    return reply.redirect(paid ? urls.confirm_callback_url : urls.reject_callback_url, 303)
  }
  const status = paid ? ('SUCCESS' as const) : ('FAILED' as const)
  return show(reply, resultView(place, merchant, order, { status, ...urls }))
}

/**
 * An ended page shows only certain facts: another page may have paid its order. It leads to the
 * reject address only if its order is certainly not paid (D-705).
 */
function endingOf(checkout: CheckoutRow, successor: CheckoutRow | undefined) {
  if (successor?.status === 'PAID') {
    // A payment with a kept card has no page, and so no address after it.
    const { confirm_callback_url } = successor
    const back_url = confirm_callback_url === '' ? homeOf(checkout) : hrefOf(confirm_callback_url)
    return { notice: 'paid_elsewhere' as const, back_url }
  }
  if (successor) return { notice: 'paying_elsewhere' as const, back_url: homeOf(checkout) }
  if (checkout.status === 'SUPERSEDED') {
    return { notice: 'replaced' as const, back_url: homeOf(checkout) }
  }
  return { notice: 'ended' as const, back_url: hrefOf(checkout.reject_callback_url) }
}

/** After an error during a payment its outcome is not known, so the page keeps checking it. */
function failureView(place: Place, status: number, { method, url }: FastifyRequest): Html {
  const isPayment = method === 'POST' && !/^\/checkout\/(testcards|keptcards)/.test(url)
  if (status >= 500 && isPayment) return noticeView(place, 'checking')
  return noticeView(place, status === 404 ? 'unknown' : 'failed')
}

/** Fails with `not_found` for an id that is malformed, of another tenant or unknown. */
async function find(services: Services, request: FastifyRequest): Promise<Visit> {
  const place = placeOf(readPageQuery(request.url).id)
  if (!place) throw new ApiError('not_found')
  const { tenant_id, page_key } = place
  const db = services.db.forTenant(tenant_id)
  const found = await findPage({ db, tenant_id }, page_key)
  if (!found) throw new ApiError('not_found')
  const { checkout, now, merchant } = found
  const actor = { kind: 'system', id: 'checkout page' } as const
  return { ctx: { ...services, db, tenant_id, now, actor }, checkout, merchant }
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.code === 'not_found' ? 404 : 400
  if (error instanceof DatabaseUnavailable) return 503
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? status : 500
}

function placeIn(api: PaymentServices, { url }: FastifyRequest): Place {
  const { id, lang } = readPageQuery(url)
  const base = new URL(api.publicUrl()).pathname.replace(/\/$/, '')
  return { id, language: languageOf(lang), base, assets: assetAddresses }
}

/** Known from a header of the browser, or from the page's script if the header is absent. */
function isFramed({ headers, body }: FastifyRequest): boolean {
  const mark = body instanceof URLSearchParams && body.get('framed') === '1'
  return mark || FRAMES.includes(String(headers['sec-fetch-dest'] ?? ''))
}

/** The page's script shows a tick before it leaves; without it the answer leads on at once. */
const isTicked = ({ body }: FastifyRequest): boolean =>
  body instanceof URLSearchParams && body.get('ticked') === '1'

function show(reply: FastifyReply, view: Html): FastifyReply {
  if (!reply.hasHeader('content-security-policy')) {
    reply.header('content-security-policy', policyOf("'none'", "'none'"))
  }
  return reply.type('text/html; charset=utf-8').send(view.text)
}
