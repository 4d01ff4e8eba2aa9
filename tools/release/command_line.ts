/**
 * The command line as a package: the scripts of apps/cli and what they import, in the folders of
 * the tree, since they find the documents by these. Node strips no types within node_modules.
 */

import { copyFileSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { type Manifest, ROOT, readManifest, runNode } from './tree.ts'

const COPIED = [
  'LICENSE',
  ...['issuing', 'merchant', 'portal', 'programme.schema'].map(
    (name) => `docs/openapi/${name}.json`,
  ),
]
const README = `# bezant

The command line of Bezant, a card issuing platform. \`bezant --help\` lists its commands, and
\`bezant COMMAND --help\` has examples. Needs Node.js 24 or later.

    npm install --global ./bezant-cli-VERSION.tgz
    bezant profile add live https://cards.example

\`bezant help\` lists apart the commands that run the program itself, as \`start\` does. They, and
\`scenario run\` without \`--url\`, need the archive of the release.
`

/** Writes the files of the package into a new folder. */
export function stageCommandLine(folder: string): void {
  mkdirSync(folder)
  // Aliases of the tree keep their .ts, which the check of types would refuse; it has its own run.
  const options = ['-p', 'tools/release/command_line.tsconfig.json', '--outDir', folder]
  runNode(['node_modules/ts7/bin/tsc', ...options])
  for (const path of COPIED) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    copyFileSync(join(ROOT, path), join(folder, path))
  }
  const root = readManifest()
  writeFileSync(join(folder, 'README.md'), README.replace('VERSION', root.version))
  const manifest = manifestOf(root, importsIn(folder))
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

/** The names that the scripts import and that are no files beside them. */
function importsIn(folder: string): string[] {
  const scripts = globSync('**/*.{js,mjs}', { cwd: folder })
  const found = scripts.flatMap((path) =>
    ts
      .preProcessFile(readFileSync(join(folder, path), 'utf8'))
      .importedFiles.map((one) => one.fileName),
  )
  return [...new Set(found)].filter((name) => !/^(?:\.|node:)/.test(name)).sort()
}

function manifestOf(root: Manifest, imports: readonly string[]): object {
  const own = imports.filter((name) => name.startsWith('#'))
  const packages = imports.filter((name) => !name.startsWith('#')).map(packageOf)
  const aliases = Object.entries(root.imports).filter(([alias]) =>
    own.some((name) => name.startsWith(alias.slice(0, -1))),
  )
  return {
    name: '@bezant/cli',
    version: root.version,
    description: 'Command line of the Bezant card issuing platform',
    license: root.license,
    type: 'module',
    engines: root.engines,
    bin: { bezant: 'apps/cli/bezant.mjs' },
    imports: Object.fromEntries(aliases.map(([alias, path]) => [`${alias}.ts`, `${path}.js`])),
    dependencies: Object.fromEntries(
      [...new Set(packages)].map((name) => [name, versionOf(name, root)]),
    ),
  }
}

const packageOf = (name: string): string => /^(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? name

function versionOf(name: string, { dependencies }: Manifest): string {
  const version = dependencies[name]
  if (version === undefined) throw new Error(`the command line imports ${name}: no dependency`)
  return version
}
