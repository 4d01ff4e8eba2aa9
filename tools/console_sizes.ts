/** What a browser loads for each page of the console, from the manifest of its build. */

import { existsSync, readFileSync, statSync } from 'node:fs'

const DIST = new URL('../apps/console/dist/', import.meta.url)
const ENTRY = 'index.html'
const SHELL = 'src/shell/shell.tsx'
const PAGE = /^src\/pages\/.+\.tsx$/
const LANGUAGE = /\/(?:en\/english|ar\/arabic)\.ts$/
/** Pages of those who have not signed in have nothing around them. */
const ALONE = /^src\/pages\/(?:sign_in|sign_up|links|not_found)\//

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }
type Manifest = Readonly<Record<string, Chunk>>

/** Bytes of JavaScript as they are sent: until the page can be used, and with what comes later. */
export type PageSize = { page: string; first: number; whole: number }

/**
 * Each page with all that it needs: the entry, the shell, the chunks that these import, and the
 * larger of the languages. Undefined where the console is not built.
 */
export function readPageSizes(): PageSize[] | undefined {
  const file = new URL('manifest.json', DIST)
  if (!existsSync(file)) return undefined
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  const language = Object.keys(manifest)
    .filter((name) => LANGUAGE.test(name))
    .reduce((a, b) => (sumOf(manifest, [a]) > sumOf(manifest, [b]) ? a : b))
  const pages = manifest[ENTRY]?.dynamicImports?.filter((name) => PAGE.test(name)) ?? []
  return pages
    .map((page) => {
      const around = [ENTRY, language, ...(ALONE.test(page) ? [] : [SHELL])]
      const first = closureOf(manifest, [...around, page], false)
      const whole = [...first, ...closureOf(manifest, [page], true)]
      return {
        page: page.replace(/^src\/pages\//, ''),
        first: sumOf(manifest, first),
        whole: sumOf(manifest, whole),
      }
    })
    .sort((a, b) => b.whole - a.whole)
}

/** The chunks that these load: `isWhole` with those that come later by `import()`. */
function closureOf(manifest: Manifest, names: readonly string[], isWhole: boolean): string[] {
  const found = new Set<string>()
  const visit = (name: string): void => {
    const chunk = manifest[name]
    if (!chunk || found.has(name)) return
    found.add(name)
    // The entry names every page, and of these a reader loads the one that is opened.
    const later = isWhole && name !== ENTRY ? (chunk.dynamicImports ?? []) : []
    for (const next of [...(chunk.imports ?? []), ...later]) visit(next)
  }
  for (const name of names) visit(name)
  return [...found]
}

function sumOf(manifest: Manifest, names: readonly string[]): number {
  const files = new Set(names.flatMap((name) => manifest[name]?.file ?? []))
  return [...files]
    .filter((file) => file.endsWith('.js'))
    .reduce((sum, file) => sum + sizeOf(file), 0)
}

/** The build compresses each file beside it. */
function sizeOf(file: string): number {
  const small = new URL(`${file}.br`, DIST)
  return statSync(existsSync(small) ? small : new URL(file, DIST)).size
}
