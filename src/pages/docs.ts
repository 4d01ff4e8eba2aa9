/** The documentation at /docs: both OpenAPI documents, shown by Scalar without any outside help. */

import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import Fastify from 'fastify'
import type { App } from '#kit/http.ts'
import { htmlPage, policyOf } from './html.ts'

/** One document of the API. `make` is called at its first request and its text then kept. */
export type Book = { name: string; title: string; make: () => object }

/** The script that Scalar's page would have inline: as a file it needs no hash in the policy. */
const startScript = (books: readonly Book[]) => `Scalar.createApiReference('#app', ${JSON.stringify(
  {
    sources: books.map(({ name, title }) => ({ title, slug: name, url: `/openapi/${name}.json` })),
    withDefaultFonts: false,
    telemetry: false,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
    hideClientButton: true,
  },
)})
`

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
  title: 'API documentation',
  head: '',
  body: `<div id="app"></div>
<script src="/docs/scalar.js"></script>
<script src="/docs/start.js"></script>`,
})

const A_DAY = 'public, max-age=86400'

export function serveDocs(app: App, books: readonly Book[]): void {
  app.get('/', async (_request, reply) => reply.redirect('/docs', 302))
  app.get('/docs', async (_request, reply) =>
    reply.header('content-security-policy', POLICY).type('text/html; charset=utf-8').send(PAGE),
  )
  app.get('/docs/start.js', async (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(startScript(books)),
  )
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
  for (const { name, make } of books) {
    const text = once(() => JSON.stringify(make()))
    app.get(`/openapi/${name}.json`, async (_request, reply) =>
      reply.type('application/json; charset=utf-8').send(text()),
    )
  }
}

/**
 * Scalar's script, which its package gives out by a route only. It has four megabytes, so it is
 * loaded when somebody reads the documentation for the first time, and kept packed.
 */
async function packedBundle(): Promise<Buffer> {
  const { default: scalar } = await import('@scalar/fastify-api-reference')
  const shelf = Fastify()
  await shelf.register(scalar, { routePrefix: '/docs', configuration: { url: '/' } })
  const { rawPayload } = await shelf.inject('/docs/js/scalar.js')
  await shelf.close()
  return promisify(gzip)(rawPayload)
}

function once<Value>(make: () => Value): () => Value {
  let made: { value: Value } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}
