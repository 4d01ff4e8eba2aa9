/** The console under /console: an application of the browser that only calls the APIs (D-133). */

import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import files from '@fastify/static'
import type { FastifyReply } from 'fastify'
import type { App } from '#kit/http/app.ts'
import { htmlPage, policyOf } from './html.ts'
import { once } from './once.ts'

const BUILT = new URL('../../../apps/console/dist/', import.meta.url)
const FOR_EVER = 'public, max-age=31536000, immutable'
/** Fonts of the server's own pages have no hash in their names. */
const A_WEEK = 'public, max-age=604800'
/** The placeholder that apps/console/vite.config.ts writes. */
const NONCE = /__NONCE__/g
const NONCE_BYTES = 16

const NOT_BUILT = htmlPage({
  title: 'Console',
  head: '',
  body: `<h1>Console</h1>
<p>The console is not built on this machine. Run <code>npm ci</code>, or use a release, and start
the program again.</p>`,
})

/**
 * Serves the built application (D-591): every path under /console is its one page, whose policy has
 * a nonce of its own in each answer. Files with a hash in their names may be kept for ever.
 */
export function serveConsole(app: App): void {
  const page = once(readPage)
  const send = (reply: FastifyReply) => {
    const text = page()
    // Links of mails carry a secret in their address, which no other site may learn.
    reply.type('text/html; charset=utf-8').header('referrer-policy', 'no-referrer')
    if (text === undefined) {
      return reply.code(503).header('content-security-policy', policyOf('')).send(NOT_BUILT)
    }
    const nonce = randomBytes(NONCE_BYTES).toString('base64')
    reply.header('content-security-policy', policyWith(nonce))
    return reply.send(text.replace(NONCE, nonce))
  }
  const withHead = { exposeHeadRoute: true }
  app.get('/console', withHead, async (_request, reply) => send(reply))
  app.get('/console/*', withHead, async (_request, reply) => send(reply))
  if (page() !== undefined) serveAssets(app)
}

/** The application's page; undefined if it is not built. */
function readPage(): string | undefined {
  const file = new URL('index.html', BUILT)
  return existsSync(file) ? readFileSync(file, 'utf8') : undefined
}

function serveAssets(app: App): void {
  serveFolder(app, { folder: 'assets/', prefix: '/console/assets/', kept: FOR_EVER })
  serveFolder(app, { folder: 'fonts/', prefix: '/fonts/', kept: A_WEEK })
}

type Folder = { folder: string; prefix: string; kept: string }

function serveFolder(app: App, { folder, prefix, kept }: Folder): void {
  app.register(files, {
    root: fileURLToPath(new URL(folder, BUILT)),
    prefix,
    preCompressed: true,
    decorateReply: false,
    cacheControl: false,
    index: false,
    setHeaders(reply) {
      reply.header('cache-control', kept)
    },
  })
}

/** Widgets are framed by pages of the console, and are pages of the same program. */
const policyWith = (nonce: string): string =>
  policyOf(
    [
      "script-src 'self'",
      `style-src 'self' 'nonce-${nonce}'`,
      "img-src 'self' data:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'self'",
    ].join('; '),
  )
