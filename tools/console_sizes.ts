/** What a browser loads for each page of the console, from the manifest of its build. */

import { existsSync, readFileSync, statSync } from 'node:fs'

const DIST = new URL('../apps/console/dist/', import.meta.url)
const ENTRY = 'index.html'
const PAGE = /^src\/pages\/.+\.tsx$/

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }
type Manifest = Readonly<Record<string, Chunk>>

/** Bytes of JavaScript as they are sent, compressed. */
export type PageSize = { page: string; bytes: number }

/**
 * Each page with all that it needs: the entry, the chunks that these import, what the page loads
 * later by itself, and the larger of the languages. Undefined where the console is not built.
 */
export function readPageSizes(): PageSize[] | undefined {
  const file = new URL('manifest.json', DIST)
  if (!existsSync(file)) return undefined
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  const entry = manifest[ENTRY]
  const dynamic = entry?.dynamicImports ?? []
  // The entry loads pages, and Arabic for those who read it; which file names it may change.
  const languages = Object.keys(manifest).filter((name) => /\/ar\/arabic\.ts$/.test(name))
  const common = closureOf(manifest, [ENTRY, ...languages], false)
  return dynamic
    .filter((name) => PAGE.test(name))
    .map((page) => {
      const needed = new Set([...common, ...closureOf(manifest, [page], true)])
      return { page: page.replace(/^src\/pages\//, ''), bytes: sumOf(manifest, needed) }
    })
    .sort((a, b) => b.bytes - a.bytes)
}

/** The chunks that these load: `isWhole` with those that come later by `import()`. */
function closureOf(manifest: Manifest, names: readonly string[], isWhole: boolean): Set<string> {
  const found = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk || found.has(name)) return
    found.add(name)
    const { imports = [], dynamicImports = [] } = chunk
    for (const next of [...imports, ...(isWhole ? dynamicImports : [])]) {
      if (next !== ENTRY) visit(next)
    }
  }
  for (const name of names) visit(name)
  return found
}

function sumOf(manifest: Manifest, names: ReadonlySet<string>): number {
  const files = new Set([...names].flatMap((name) => manifest[name]?.file ?? []))
  return [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + sizeOf(file), 0)
}

/** The build compresses each file beside it, if it is worth it. */
function sizeOf(file: string): number {
  const small = new URL(`${file}.br`, DIST)
  return statSync(existsSync(small) ? small : new URL(file, DIST)).size
}
