/** Runs the suite, as plain JavaScript beside the library that npm has packed. */

import { execFile } from 'node:child_process'
import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join, relative } from 'node:path'
import { promisify } from 'node:util'
import ts from 'typescript'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import type { SuiteGiven, SuiteResult } from './given.ts'
import type { Runtime } from './runtimes.ts'

/** The oldest Node does not run TypeScript. */
export function asJavaScript(source: string): string {
  const compilerOptions = {
    module: ts.ModuleKind.ESNext,
    target: ts.ScriptTarget.ES2022,
    rewriteRelativeImportExtensions: true,
  }
  return ts.transpileModule(source, { compilerOptions }).outputText
}

/** Writes the suite beside the unpacked package `library`, and returns its first file. */
export function writeSuite(folder: string, library: string): string {
  const place = join(folder, 'suite')
  mkdirSync(place)
  for (const path of globSync('test/client/suite/*.ts')) {
    const name = basename(path).replace(/\.ts$/, '.js')
    writeFileSync(join(place, name), asJavaScript(readFileSync(path, 'utf8')))
  }
  // The suite names the source of the library; here that is what the package has of it.
  const imports = { '#client/*.ts': `./${relative(folder, library)}/dist/*.js` }
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module', imports }))
  return join(place, 'main.js')
}

export function run(
  { path, args }: Runtime,
  script: string,
  env: Readonly<Record<string, string>>,
): Promise<{ stdout: string; stderr: string }> {
  const options = { env: { PATH: process.env['PATH'], ...env }, timeout: PATIENCE_MS }
  return promisify(execFile)(path, [...args, script], options)
}

/**
 * The results of its tests, and last that of the process: its end shows that everything opened is
 * closed.
 */
export async function runSuite(
  runtime: Runtime,
  script: string,
  given: SuiteGiven,
): Promise<SuiteResult[]> {
  const { stdout, fault } = await run(runtime, script, { SUITE: JSON.stringify(given) }).then(
    (ended) => ({ stdout: ended.stdout, fault: null }),
    // It rejects with what was printed before the process failed or was ended.
    (error: Error & { stdout: string }) => ({ stdout: error.stdout, fault: error.message }),
  )
  const lines = stdout.split('\n').filter((line) => line !== '')
  const results = lines.map((line): SuiteResult => JSON.parse(line))
  return [...results, { name: 'the process ends by itself', fault }]
}
