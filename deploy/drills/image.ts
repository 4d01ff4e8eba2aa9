/**
 * The image of deploy/Containerfile, built by running the steps of the recipe in folders, and the
 * program started from it as deploy/compose.yaml starts it.
 */

import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DrillFault } from './fault.ts'
import { Container, environmentOf, makeDatabase, mountSecrets } from './stage/container.ts'
import { folderOf, megabytesIn } from './stage/folder.ts'
import { type Built, build, contextIn } from './stage/image.ts'
import { makeServer } from './stage/postgres.ts'
import * as recipe from './stage/recipe.ts'
import { rightsOf } from './stage/rights.ts'
import type { Transcript } from './transcript.ts'

const RECIPE = 'deploy/Containerfile'
const COMPOSE = 'deploy/compose.yaml'
const IGNORED = '.dockerignore'
const PAGES = ['/console', '/docs', '/docs/start', '/docs/errors', '/openapi/issuing.json']
const READY = /^.* is ready after .*$/m
/** Files that an image must not have, but for packages, which have keys of their own tests. */
const UNWANTED = /\.test\.ts$|\.(?:key|pem|env)$/

export async function drill(transcript: Transcript): Promise<void> {
  if (process.getuid?.() !== 0) {
    throw new DrillFault('Run it as root: the recipe gives a folder to an account of its own.')
  }
  await using stack = new AsyncDisposableStack()
  const folder = folderOf(stack, transcript)
  const stages = recipe.stagesOf(readFileSync(RECIPE, 'utf8'))
  const image = stages.at(-1)
  if (!image) throw new DrillFault(`${RECIPE} has no stage`)

  const built = buildAll(transcript, folder, stages)
  measure(transcript, built)
  await work(transcript, { folder, stack, built, image })
}

function buildAll(transcript: Transcript, folder: string, stages: recipe.Stage[]): Built {
  transcript.step('Every step of the recipe is run')
  transcript.explain(
    'No registry of images is asked: in the place of a base image is a folder with the Node of ' +
      'this process. What goes to the build is what is committed, less what `.dockerignore` ' +
      'leaves out.',
  )
  const { kept, all } = contextIn(folder, IGNORED)
  const context = join(folder, 'context')
  transcript.print(`context: ${kept} of ${all} committed files, ${megabytesIn(context)}`)
  const done = new Map<string, Built>()
  for (const [at, stage] of stages.entries()) {
    if (!stage.tag?.startsWith(`${process.versions.node}-`)) {
      throw new DrillFault(`${stage.image}:${stage.tag} has another Node than ${process.version}`)
    }
    const name = stage.name ?? String(at)
    transcript.print(`FROM ${stage.image}:${stage.tag}${stage.name ? ` AS ${stage.name}` : ''}`)
    const report = (line: string) => transcript.print(`  ${line}`)
    done.set(name, build(stage, join(folder, name), { context, stages: done, report }))
  }
  const last = [...done.values()].at(-1)
  if (!last) throw new DrillFault('nothing is built')
  return last
}

/** Prints the files that the image adds to its base. */
function measure(transcript: Transcript, built: Built): void {
  transcript.step('What the image has beside its base')
  const own = readdirSync(built.at('.')).sort()
  for (const name of own.filter((each) => statSync(built.at(each)).isDirectory())) {
    transcript.print(`${name.padEnd(14)} ${megabytesIn(built.at(name))}`)
  }
  transcript.print(`${'in all'.padEnd(14)} ${megabytesIn(built.at('.'))}`)
  const all = readdirSync(built.at('.'), { recursive: true, encoding: 'utf8' })
  const unwanted = all.filter((path) => !/^node_modules/.test(path) && UNWANTED.test(path))
  if (unwanted.length > 0) throw new DrillFault(`not for an image: ${unwanted.join(', ')}`)
  const open = all.filter((path) => isOpen(built.at(path)))
  if (open.length > 0) throw new DrillFault(`others than root may write ${open.join(', ')}`)
  transcript.print('all of it belongs to root, and no other account may write it')
}

/** A link has the rights of what it names. */
function isOpen(path: string): boolean {
  const { uid, mode } = statSync(path)
  return uid !== 0 || (mode & 0o022) !== 0
}

type Work = { folder: string; stack: AsyncDisposableStack; built: Built; image: recipe.Stage }

async function work(transcript: Transcript, { folder, stack, built, image }: Work): Promise<void> {
  transcript.step('The program works from it, with the settings of deploy/compose.yaml')
  const account = recipe.lastOf(image, 'USER')?.words[0] ?? ''
  transcript.explain(
    `The account is ${account}, without capabilities and without a way to gain one ` +
      '(`setpriv`), as in the container. The secrets are those of `deploy/secrets.sh`, and ' +
      '`owner.sql` makes the database. The ports are others, since those of the recipe may be ' +
      'in use here.',
  )
  const server = await makeServer(join(folder, 'server'))
  stack.defer(() => server.kill())
  transcript.print(await server.version())
  mountSecrets(built, { folder: join(folder, 'secrets'), server })
  transcript.print(await makeDatabase(built, server))
  const container = new Container({ built, image, env: await environmentOf(built, COMPOSE) })
  const check = (expected: number) => {
    const { code, line } = container.checkHealth()
    transcript.print(line)
    if (code !== expected) throw new DrillFault(`the health check was to end with ${expected}`)
  }

  check(1)
  const since = Date.now()
  const program = stack.use(container.start())
  await program.until(READY)
  transcript.print(`$ ${container.command.join(' ')}\n${READY.exec(program.text())?.[0]}`)
  transcript.print(rightsOf(program.pid))
  check(0)
  for (const path of PAGES) transcript.print(await container.get(path))
  for (const name of ['demo', 'doctor']) {
    const { code, output } = container.execute(['bezant', name])
    if (code !== 0) throw new DrillFault(`${name} ended with ${code}:\n${output}`)
    transcript.print(`$ bezant ${name}\nexit code 0 after ${output.split('\n').length} lines`)
  }
  transcript.print(await container.stop(program))
  check(1)
  const written = filesSince(built.root, since)
  transcript.print(`it has written ${written.join(', ')}, and nothing else`)
  const elsewhere = written.filter((path) => !/^\/(var\/lib\/bezant|tmp)\//.test(path))
  if (elsewhere.length > 0) throw new DrillFault(`read-only: ${elsewhere.join(', ')}`)
}

/** Paths of the image that were made or changed since. */
function filesSince(root: string, ms: number): string[] {
  return readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((path) => lstatSync(join(root, path)).isFile())
    .filter((path) => lstatSync(join(root, path)).ctimeMs > ms)
    .map((path) => `/${path}`)
    .sort()
}
