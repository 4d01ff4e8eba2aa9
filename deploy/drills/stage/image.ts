/**
 * Runs the steps of a recipe in folders: each stage has one in the place of the root of its image.
 * The base image is not there: Node is that of this process, and the system this machine's.
 */

import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join } from 'node:path'
import dockerignore from '@balena/dockerignore'
import { DrillFault } from '../fault.ts'
import { run } from '../programs.ts'
import type { Stage, Step } from './recipe.ts'

/** The path of Node in the official image. */
const NODE = 'usr/local/bin/node'
const LARGEST_ARCHIVE = 256 * 1024 * 1024

/** The files that go to a build: the committed ones that the ignore file does not leave out. */
export function contextIn(folder: string, ignore_file: string): { kept: number; all: number } {
  const archive = execFileSync('git', ['archive', 'HEAD'], { maxBuffer: LARGEST_ARCHIVE })
  const [committed, context] = [join(folder, 'committed'), join(folder, 'context')]
  for (const each of [committed, context]) mkdirSync(each)
  execFileSync('tar', ['--extract', '--no-same-permissions'], { cwd: committed, input: archive })
  const names = execFileSync('git', ['ls-tree', '-r', '--name-only', '-z', 'HEAD'], {
    maxBuffer: LARGEST_ARCHIVE,
    encoding: 'utf8',
  })
  const all = names.split('\0').filter((name) => name !== '')
  const kept = keptOf(all, readFileSync(ignore_file, 'utf8'))
  for (const name of kept) cpSync(join(committed, name), join(context, name))
  return { kept: kept.length, all: all.length }
}

/** The files that the lines of an ignore file do not leave out, as the builders read them. */
export function keptOf(paths: readonly string[], lines: string): string[] {
  return dockerignore
    .default()
    .add(lines.split('\n'))
    .filter([...paths])
}

/** A stage that has been built: a folder, and what its steps have set. */
export class Built {
  readonly root: string
  readonly env: Record<string, string> = {}
  /** The working directory within the image. */
  workdir = '/'

  constructor(root: string) {
    this.root = root
    mkdirSync(join(root, 'usr/local/bin'), { recursive: true })
    cpSync(process.execPath, join(root, NODE))
    chmodSync(join(root, NODE), 0o755)
  }

  /** The place of a path of the image, relative to its working directory. */
  at(path: string): string {
    return join(this.root, path.startsWith('/') ? path : join(this.workdir, path))
  }

  /** A command or a value with this folder in front of the paths of the image. */
  within(text: string): string {
    return text.replace(/(^|[\s=])\/(?=[a-z])/g, `$1${this.root}/`)
  }

  /** The environment of its processes; the programs of this machine are behind its own. */
  variables(): Record<string, string> {
    const own = Object.entries(this.env).map(([name, value]) => [name, this.within(value)])
    const path = `${join(this.root, 'usr/local/bin')}:${process.env['PATH']}`
    return { ...Object.fromEntries(own), PATH: path }
  }
}

type Others = Readonly<{
  context: string
  stages: ReadonlyMap<string, Built>
  /** Gets each step, once it is done. */
  report: (line: string) => void
}>

/** Runs every step that makes files; the others have their effect when a container starts. */
export function build(stage: Stage, root: string, others: Others): Built {
  const built = new Built(root)
  for (const step of stage.steps) {
    if (step.keyword === 'WORKDIR') {
      built.workdir = join(built.workdir, step.words[0] ?? '')
      mkdirSync(built.at('.'), { recursive: true })
    } else if (step.keyword === 'ENV') Object.assign(built.env, Object.fromEntries(step.pairs))
    else if (step.keyword === 'RUN') runStep(step, built)
    else if (step.keyword === 'COPY') copyStep(step, built, others)
    else continue
    others.report(lineOf(step))
  }
  return built
}

function lineOf({ keyword, flags, text }: Step): string {
  const written = Object.entries(flags).map(([name, value]) => `--${name}=${value} `)
  return `${keyword} ${written.join('')}${text}`
}

function runStep({ text, words, isExec }: Step, built: Built): void {
  const [file = '', ...args] = isExec ? words : ['sh', '-e', '-c', text]
  const options = { cwd: built.at('.'), env: { ...process.env, ...built.variables() } }
  const { code, output } = run(
    file,
    args.map((arg) => built.within(arg)),
    options,
  )
  if (code !== 0) throw new DrillFault(`RUN ${text} ended with ${code}:\n${output}`)
}

/** The contents of a folder, a file to a name, or files into a folder whose name ends with `/`. */
function copyStep({ words, flags, text }: Step, built: Built, { context, stages }: Others): void {
  const from = flags['from'] === undefined ? undefined : stages.get(flags['from'])
  if (flags['from'] !== undefined && !from) throw new DrillFault(`COPY ${text}: no such stage`)
  const [sources, target = ''] = [words.slice(0, -1), words.at(-1)]
  for (const source of sources) {
    const origin = from ? from.at(source) : join(context, source)
    const isFolder = statSync(origin).isDirectory()
    const place = built.at(!isFolder && target.endsWith('/') ? target + basename(source) : target)
    cpSync(origin, place, { recursive: true, verbatimSymlinks: true })
  }
}
