/** The documentation at /docs: the OpenAPI documents, rendered by Scalar from this server. */

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import Fastify from 'fastify'
import { tokens } from '#kit/http/answers/assets.ts'
import type { App } from '#kit/http/app.ts'
import { type DocumentedApi, openapiOf } from '#kit/http/openapi/openapi.ts'
import { BAR_STYLE, barOf, htmlPage, own, policyOf, scriptTag } from './html.ts'
import { once } from './once.ts'

/** The names of the documents, in the order of `contracts`. */
const NAMES = ['issuing', 'merchant', 'portal'] as const

/** The script that Scalar's page would have inline: as a file it needs no hash in the policy. */
const startScript = (apis: readonly DocumentedApi[]) => {
  const sources = apis.map(({ document: { title } }, at) => {
    const slug = NAMES[at]
    return { title, slug, url: `/openapi/${slug}.json` }
  })
  const settings = JSON.stringify({ sources, ...SETTINGS })
  return `// Who has signed in needs no key: requests go with the cookie of the session.
globalThis.bezantSession.then((session) => {
  const authentication = { preferredSecurityScheme: session === null ? 'apikey' : 'session' }
  Scalar.createApiReference('#app', { ...${settings}, authentication })
})
`
}

/** No request goes to any other site; the look is that of the console. */
const SETTINGS = {
  theme: 'none',
  customCss: tokens + own('scalar.css'),
  withDefaultFonts: false,
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true },
  mcp: { disabled: true },
}

/** Scalar writes its styles into the page; its scripts and all data come from this server. */
const POLICY = policyOf(
  [
    "script-src 'self'",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "worker-src 'self' blob:",
  ].join('; '),
)

const PAGE = htmlPage({
  title: 'API reference',
  head: `<style>${tokens}${BAR_STYLE}${own('note.css')}</style>${scriptTag('/docs/session.js')}
<script src="/docs/scalar.js" defer></script>
<script src="/docs/start.js" defer></script>`,
  body: `${barOf('/docs')}
<p class="note" role="status">Requests that you try on this page need your session or an API key.
<a href="/console/sign-in?next=/docs">Sign in</a>, or enter a key under Authentication.</p>
<div id="app"></div>`,
})

const A_DAY = 'public, max-age=86400'

/** A browser is led to the console, any other client to the documentation. */
const homeOf = (accept = '') => (/\btext\/html\b/.test(accept) ? '/console' : '/docs')

export function serveDocs(app: App, apis: () => readonly DocumentedApi[]): void {
  app.get('/', async ({ headers }, reply) => reply.redirect(homeOf(headers.accept), 302))
  app.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE),
  )
  app.get('/docs/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(apis())),
  )
  serveScalar(app)
  for (const [at, name] of NAMES.entries()) {
    const text = once(() => documentText(apis()[at]))
    app.get(`/openapi/${name}.json`, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(text()),
    )
  }
}

function documentText(api: DocumentedApi | undefined): string {
  if (!api) throw new Error('an API has no document')
  return JSON.stringify(openapiOf(api))
}

function serveScalar(app: App): void {
  const bundle = once(packedBundle)
  app.get('/docs/scalar.js', async (request, reply) => {
    const packed = await bundle()
    reply.type('text/javascript; charset=utf-8')
    reply.headers({ 'cache-control': A_DAY, vary: 'accept-encoding' })
    if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) {
      return reply.send(await promisify(gunzip)(packed))
    }
    return reply.header('content-encoding', 'gzip').send(packed)
  })
}

/**
 * Scalar's script, which its package serves by a route only. It has four megabytes, so it is loaded
 * at the first request of the documentation, and cached compressed.
 */
async function packedBundle(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shelf = Fastify()
  await shelf.register(scalar, { routePrefix: '/docs', configuration: { url: '/' } })
  const { rawPayload } = await shelf.inject('/docs/js/scalar.js')
  await shelf.close()
  return promisify(gzip)(rawPayload)
}
