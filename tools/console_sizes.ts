/** The files that a browser loads for each page of the console, from the manifest of its build. */

import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const CONSOLE = new URL('../apps/console/', import.meta.url)
const DIST = new URL('dist/', CONSOLE)
const ENTRY = 'index.html'
const SHELL = 'src/shell/shell.tsx'
const PAGE = /^src\/pages\/.+\.tsx$/
/** A page loads only its own parts of the texts, in one language. */
const TEXTS = /^src\/i18n\//
/** Home, with what it loads for a member of a tenant. */
const HOME = ['src/pages/operator_home/home_of.tsx', 'src/pages/home/home.tsx']
/** Pages of those who have not signed in have nothing around them. */
const ALONE = /^src\/pages\/(?:sign_in|sign_up|links|not_found)\//

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }
type Manifest = Readonly<Record<string, Chunk>>

/** Bytes of JavaScript as they are sent: until the page can be used, and with what comes later. */
export type PageSize = { page: string; first: number; whole: number }

/**
 * Each page with all that it needs: the entry, the shell, its parts of the texts in the larger
 * language, and the chunks that these import. Undefined if the console is not built.
 */
export function readPageSizes(): PageSize[] | undefined {
  const file = new URL('manifest.json', DIST)
  if (!existsSync(file)) return undefined
  const manifest: Manifest = JSON.parse(readFileSync(file, 'utf8'))
  const parts = readTextsOfPages()
  const textsOf = (page: string) =>
    ['first', ...(parts.get(page) ?? [])].map((part) => largerText(manifest, part))
  const pages = manifest[ENTRY]?.dynamicImports?.filter((name) => PAGE.test(name)) ?? []
  return pages
    .map((page) => {
      const around = [ENTRY, ...textsOf(page), ...(ALONE.test(page) ? [] : [SHELL])]
      const own = page === HOME[0] ? HOME : [page]
      const first = closureOf(manifest, [...around, ...own], false)
      const whole = [...first, ...closureOf(manifest, [page], true)]
      return {
        page: page.replace(/^src\/pages\//, ''),
        first: sumOf(manifest, first),
        whole: sumOf(manifest, whole),
      }
    })
    .sort((a, b) => b.whole - a.whole)
}

/** The parts of the texts that the paths of the console name for each page. */
function readTextsOfPages(): Map<string, string[]> {
  const found = new Map<string, string[]>()
  for (const path of globSync('src/routes/*.ts', { cwd: fileURLToPath(CONSOLE) })) {
    const source = readFileSync(new URL(path, CONSOLE), 'utf8')
    const parts = /const page = pagesWith\((.*)\)/.exec(source)?.[1]?.match(/\w+/g) ?? []
    for (const [, page = ''] of source.matchAll(/\bpage\(\s*\(\) => import\('\.\.\/(.+?)'/g)) {
      found.set(`src/${page}`, parts)
    }
  }
  return found
}

function largerText(manifest: Manifest, part: string): string {
  const of = (language: string) => `src/i18n/${language}/parts_${part}.ts`
  return sumOf(manifest, [of('en')]) > sumOf(manifest, [of('ar')]) ? of('en') : of('ar')
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
    const needed = later.filter((next) => !TEXTS.test(next))
    for (const next of [...(chunk.imports ?? []), ...needed]) visit(next)
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
