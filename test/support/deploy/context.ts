/**
 * The files that go to the build of the image, those that the image has, and the imports of both.
 */

import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { keptOf } from '../../../deploy/drills/stage/image.ts'
import type { Stage } from '../../../deploy/drills/stage/recipe.ts'

export const IGNORE_FILE = '.dockerignore'

/** Files of this folder, without packages and data. */
const PROJECT = [
  ...['.npmrc', '*', '{apps,bench,deploy,docs,migrations,src,test,tools}/**/*'],
  'packages/client/src/**/*',
]

/** Files that go to a build, by their paths from the root. */
export const contextOf = (lines: string): Set<string> => new Set(keptOf(globSync(PROJECT), lines))

/** The folder in which each stage of the recipe works. */
const FOLDER = '/opt/bezant/'

/** Files of the context that the image has: its last stage copies them from the first. */
export function imageOf(stages: readonly Stage[], context: ReadonlySet<string>): Set<string> {
  const copied = (stages.at(-1)?.steps ?? [])
    .filter(({ keyword, flags }) => keyword === 'COPY' && flags['from'] === stages[0]?.name)
    .flatMap(({ words }) => words.slice(0, -1).map((word) => word.replace(FOLDER, '')))
  const isCopied = (path: string) =>
    copied.some((each) => path === each || path.startsWith(`${each}/`))
  return new Set([...context].filter(isCopied))
}

type Manifest = { imports: Record<string, string>; dependencies: Record<string, string> }

/** `import type` and the console are left out: nothing loads these at run time. */
const IMPORTS =
  /^(?:import|export)\s(?!type\b)(?:[^;'"]*?\sfrom\s)?'([#@\w.][^']*)'|\bimport\('([^']+)'\)/gm

/** Files that a file of the program imports and the image does not have. */
export function missingImports(context: ReadonlySet<string>, manifest: Manifest): string[] {
  const programs = [...context].filter((path) => path.endsWith('.ts'))
  return programs.flatMap((path) =>
    [...readFileSync(path, 'utf8').matchAll(IMPORTS)]
      .map(([, from, late]) => from ?? late ?? '')
      .filter((from) => !isThere(from, { path, context, manifest }))
      .map((from) => `${path} -> ${from}`),
  )
}

type Where = { path: string; context: ReadonlySet<string>; manifest: Manifest }

function isThere(from: string, { path, context, manifest }: Where): boolean {
  if (from.startsWith('node:')) return true
  if (from.startsWith('.')) return context.has(join(dirname(path), from))
  const [, alias, rest] = /^(#\w+\/)(.+)$/.exec(from) ?? []
  if (rest !== undefined) {
    return context.has(join(manifest.imports[`${alias}*`]?.replace('*', rest) ?? ''))
  }
  const [name] = /^(?:@[^/]+\/)?[^/]+/.exec(from) ?? []
  return name !== undefined && name in manifest.dependencies
}
