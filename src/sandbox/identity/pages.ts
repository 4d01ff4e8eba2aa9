/** The applicant's page (D-23): served at the root of the server, in sandbox. */

import { createHash } from 'node:crypto'
import { fastifyMultipart, type MultipartFile } from '@fastify/multipart'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { DatabaseUnavailable } from '#kit/db/database.ts'
import { readAsset } from '#kit/http/answers/assets.ts'
import type { App } from '#kit/http/app.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import type { Html } from '#lib/html.ts'
import { ApiError } from '#lib/result.ts'
import { isOver, submitMedia, type Visit, visitOf } from './identity.ts'
import { FILE_BYTES_MAX, HEAD_BYTES, type Kind, kinds, typeOf } from './media.ts'
import type { NewMedium } from './store.ts'
import { languageOf } from './texts.ts'
import { type Faults, formView, noticeView } from './views.ts'

const ASSET_SECONDS = 3600
const LIMITS = { fileSize: FILE_BYTES_MAX, files: kinds.length, fields: 0, headerPairs: 20 }
/** Forms post to this server alone, and no page may frame it. */
const POLICY =
  "default-src 'none'; style-src 'self'; font-src 'self'; base-uri 'none'; form-action 'self'; " +
  "frame-ancestors 'none'"

const css = readAsset(new URL('assets/identity.css', import.meta.url))

type FormFiles = { media: Omit<NewMedium, 'id'>[]; faults: Faults }

export function applicantPages(app: App, services: Services): void {
  void app.register(async (scope) => {
    await scope.register(fastifyMultipart, { throwFileSizeLimit: false, limits: LIMITS })
    scope.setErrorHandler((error, request, reply) => {
      const status = statusOf(error)
      const notice = status === 404 ? 'unknown' : 'failed'
      return show(reply.code(status), noticeView(placeIn(request), notice))
    })
    scope.get('/identity/assets/identity.css', async (_request, reply) =>
      reply
        .type(css.type)
        .header('cache-control', `public, max-age=${ASSET_SECONDS}`)
        .send(css.text),
    )
    scope.get('/identity/:token', async (request, reply) => {
      const visit = await visitOf(services, tokenIn(request))
      return present(request, reply, visit, {})
    })
    scope.post('/identity/:token', async (request, reply) => {
      const visit = await visitOf(services, tokenIn(request))
      if (visit.applicant.submitted || isOver(visit)) return present(request, reply, visit, {})
      const { media, faults } = await readFiles(request, visit).catch(() => {
        // Only reading the form can fail here: it is not a form, or it is cut off.
        throw new ApiError('body_invalid')
      })
      if (Object.keys(faults).length > 0) return present(request, reply, visit, faults)
      await submitMedia(visit, media)
      return show(reply, noticeView(placeIn(request), 'received'))
    })
  })
}

/** The form, or a notice once it was sent or has expired. */
function present(
  request: FastifyRequest,
  reply: FastifyReply,
  visit: Visit,
  faults: Faults,
): FastifyReply {
  const place = placeIn(request)
  if (visit.applicant.submitted) return show(reply, noticeView(place, 'received'))
  if (isOver(visit)) return show(reply.code(410), noticeView(place, 'ended'))
  const status = Object.keys(faults).length > 0 ? 422 : 200
  return show(reply.code(status), formView(place, requiredKinds(visit), faults))
}

/** The kinds that must be uploaded, by the checks of the tenant. */
function requiredKinds({ applicant }: Visit): Kind[] {
  const isVideo = applicant.checks.includes('FACIAL_SIMILARITY_VIDEO')
  return ['document_front', ...(isVideo ? (['face'] as const) : [])]
}

/** Reads every file to its end and records only its type and size. */
async function readFiles(request: FastifyRequest, visit: Visit): Promise<FormFiles> {
  const sent: FormFiles = { media: [], faults: {} }
  for await (const file of request.files()) {
    const kind = kinds.find((known) => known === file.fieldname)
    const read = await measure(file)
    // A browser sends a file without name and bytes for a field that was left empty.
    if (!kind || read.size === 0) continue
    const content_type = typeOf(kind, read.head)
    if (file.file.truncated) sent.faults[kind] = 'size'
    else if (content_type === undefined) sent.faults[kind] = 'type'
    else sent.media.push({ kind, content_type, size: read.size, digest: read.digest })
  }
  for (const kind of requiredKinds(visit)) {
    if (!sent.media.some((medium) => medium.kind === kind)) sent.faults[kind] ??= 'missing'
  }
  return sent
}

async function measure({ file }: MultipartFile) {
  const hash = createHash('sha256')
  let size = 0
  let head = Buffer.alloc(0)
  for await (const chunk of file) {
    // The stream is of bytes: no encoding is set.
    const bytes = chunk as Buffer
    if (head.length < HEAD_BYTES) head = Buffer.concat([head, bytes]).subarray(0, HEAD_BYTES)
    size += bytes.length
    hash.update(bytes)
  }
  return { size, head, digest: hash.digest() }
}

function statusOf(error: unknown): number {
  if (error instanceof ApiError) return error.code === 'not_found' ? 404 : 400
  if (error instanceof DatabaseUnavailable) return 503
  const status = error instanceof Error && 'statusCode' in error ? Number(error.statusCode) : 500
  return status >= 400 && status < 500 ? status : 500
}

function tokenIn({ params }: FastifyRequest): string {
  const { token } = Object(params)
  return typeof token === 'string' ? token : ''
}

function placeIn({ query, headers }: FastifyRequest) {
  const { lang } = Object(query)
  return { language: languageOf(String(lang ?? ''), headers['accept-language'] ?? '') }
}

function show(reply: FastifyReply, view: Html): FastifyReply {
  return reply
    .headers({
      'content-security-policy': POLICY,
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .type('text/html; charset=utf-8')
    .send(view.text)
}
