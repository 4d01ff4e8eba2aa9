/** The library as a bundler makes it for browsers and workers. */

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import vm from 'node:vm'
import { build } from 'vite'
import type { SandboxFile } from '#sandbox/seed/file.ts'

const manifest = JSON.parse(readFileSync('packages/client/package.json', 'utf8'))
export const ENTRIES = Object.keys(manifest.exports).filter((name) => !name.endsWith('.json'))

/** All entry points with the dependency in one script; in `folder` the package is installed. */
export async function bundled(folder: string): Promise<string> {
  const entry = join(folder, 'all.js')
  const exports = ENTRIES.map(
    (name, at) => `export * as e${at} from '${name.replace('.', manifest.name)}'`,
  )
  writeFileSync(entry, exports.join('\n'))
  const lib = { entry, formats: ['iife' as const], name: 'client' }
  const options = { write: false, lib, reportCompressedSize: false }
  const made = await build({ root: folder, configFile: false, logLevel: 'warn', build: options })
  const [output] = [made].flat().flatMap((one) => ('output' in one ? one.output : []))
  return output?.type === 'chunk' ? output.code : ''
}

/** Globals that workers and browsers have; nothing of Node, Bun or Deno. */
const GLOBALS = [
  'AbortController', 'AbortSignal', 'Blob', 'crypto', 'FormData', 'Headers', 'Request', 'Response',
  'TextDecoder', 'TextEncoder', 'URL', 'clearTimeout', 'fetch', 'setTimeout',
] as const // biome-ignore format: a list of names reads best in lines.

/** Results of a program that has the bundle and only the globals of workers. */
export async function runAsWorker(
  bundle: string,
  { base_url, tenant }: Pick<SandboxFile, 'base_url' | 'tenant'>,
): Promise<unknown[]> {
  const globals = GLOBALS.map((name) => [name, globalThis[name]])
  const context = vm.createContext({ ...Object.fromEntries(globals), base_url, tenant })
  const found = await vm.runInContext(
    `${bundle}
    ;(async () => {
      const { Bezant, NotFoundError, responder } = client.e0
      const bezant = new Bezant({ baseUrl: base_url, apiKey: tenant.api_key })
      const user = await bezant.users.create({ first_name: 'Layla', last_name: 'Edge' })
      const isUnknown = (error) => error instanceof NotFoundError
      const lost = await bezant.users.get(tenant.id).catch(isUnknown)
      const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'
      const handle = responder.handler({ secret, decide: () => ({ approved: true }) })
      const { status } = await handle(new Request(base_url, { method: 'POST', body: '{}' }))
      for await (const one of bezant.users.list({ limit: 1 })) return [one.last_name, lost, status]
    })()`,
    context,
  )
  return [...found]
}
