/**
 * `operator EMAIL` prints a link with which the first member joins the operator's team (D-631). The
 * operator's key is that of DATA_DIR, or of `--key` with `--url`.
 */

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Command } from 'commander'
import { withoutSlashes } from '#kit/settings/shapes.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { readSandbox } from '#sandbox/seed/file.ts'
import { printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, Fault, UsageFault } from '../kit/faults.ts'
import { dataFolder } from '../kit/platform.ts'
import { print } from '../kit/print.ts'
import { exitWith, type Json } from './command.ts'
import { noSandbox, unreachable } from './unreachable.ts'

const FORMAT = 'operator 1'

type Given = Json & { url?: string; key?: string }
export type Platform = { url: string; key: string }
type Options = Platform & { email: string }

export function command(): Command {
  const command = new Command('operator')
    .description("Prints a link with which the first member joins the operator's team.")
    .argument('<email>', 'the e-mail address of the member')
    .option(
      '--url <url>',
      'the platform; that of DATA_DIR/sandbox.json, or PUBLIC_URL, where it is left out',
    )
    .option('--key <key>', "the operator's key; that of DATA_DIR where it is left out")
    .option('--json', 'print JSON')
    .action((email: string, given: Given) => {
      const format = given.json ? FORMAT : undefined
      return exitWith({ format }, () => inviteFirst(email, given))
    })
  const live = 'operator you@example.com --url https://cards.example'
  return withExamples(command, ['operator you@example.com', live])
}

async function inviteFirst(email: string, given: Given): Promise<number> {
  const { link, expires } = await invite({ email, ...platformOf(given) })
  if (given.json) {
    printJson({ format: FORMAT, ok: true, email, link, expires })
    return EXIT.done
  }
  print(`${email} may join the team of the operator as its owner, by this link:

  ${link}

Open it, or give it to the person. It is valid once, until ${expires}.
Who has joined invites the others on the page Team of the console.`)
  return EXIT.done
}

/** The platform that the command asks as its operator. */
export function platformOf(given: Omit<Given, 'json'>): Platform {
  const folder = dataFolder()
  const sandbox = readSandbox(sandboxPath(folder))
  const url = given.url ?? sandbox?.base_url ?? process.env['PUBLIC_URL']
  const key = given.key ?? sandbox?.operator_key ?? keyIn(join(folder, 'operator.key'))
  if (url === undefined) {
    const start = 'start the server (npm start), or give the address of the platform with --url'
    throw new Fault(noSandbox(sandboxPath(folder), start))
  }
  if (!URL.canParse(url)) {
    throw new UsageFault('give the address of the platform: --url https://cards.example')
  }
  if (key === undefined) {
    throw new Fault(`there is no operator's key in ${folder}: give --key`)
  }
  return { url: withoutSlashes(url), key }
}

/** Undefined if there is no such file. */
function keyIn(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch {
    return undefined
  }
}

type Invited = { link: string; expires: string }

async function invite({ email, ...platform }: Options): Promise<Invited> {
  const answer = await askPlatform(platform, 'POST', '/portal/v1/operators:invite', { email })
  // The body is the answer of the API to this operation (docs/openapi/portal.json).
  return (await answer.json()) as Invited
}

/** Asks as the operator. Throws a Fault unless the platform answers 2xx. */
export async function askPlatform(
  { url, key }: Platform,
  method: 'GET' | 'POST',
  path: string,
  body?: object,
): Promise<Response> {
  const answer = await fetch(`${url}${path}`, {
    method,
    headers: { apikey: key, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  }).catch((error: unknown) => {
    throw new Fault(unreachable(url, error))
  })
  if (answer.ok) return answer
  const problem: unknown = await answer.json().catch(() => undefined)
  const { detail = '', errors = [] } = Object(problem) as { detail?: string; errors?: Faulty[] }
  const faults = errors.map(({ path, message }) => `${path} ${message}`)
  throw new Fault([`${url} answered ${answer.status}: ${detail}`, ...faults].join('\n  '))
}

type Faulty = { path: string; message: string }
