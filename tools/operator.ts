/**
 * `npm run operator -- you@example.com`: prints a link with which the first member joins the
 * operator's team (D-631). The operator's key is that of DATA_DIR, or of `--key` with `--url`.
 */

import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { StartError } from '#kit/start_error.ts'
import { sandboxPath } from '#sandbox/known.ts'
import { readSandbox } from '#sandbox/seed/file.ts'
import { noSandbox, unreachable } from './unreachable.ts'

/** The tool cannot go on; the message states why and what to do. */
class OperatorFault extends Error {}

const USAGE = `npm run operator -- you@example.com [options]

  --url URL  the platform; that of DATA_DIR/sandbox.json, or PUBLIC_URL, where it is left out
  --key KEY  the operator's key; that of DATA_DIR where it is left out`

type Options = { email: string; url: string; key: string }

try {
  await main()
} catch (error) {
  if (!(error instanceof OperatorFault || error instanceof StartError)) throw error
  console.error(error.message)
  process.exitCode = 1
}

async function main(): Promise<void> {
  const { email, url, key } = readOptions()
  const { link, expires } = await invite({ email, url, key })
  console.log(`${email} may join the team of the operator as its owner, by this link:

  ${link}

Open it, or give it to the person. It is valid once, until ${expires}.
Who has joined invites the others on the page Team of the console.`)
}

function readOptions(): Options {
  const { positionals, values } = parse()
  const [email, ...others] = positionals
  if (email === undefined || others.length > 0 || values.help) throw new OperatorFault(USAGE)
  const folder = resolve(process.env['DATA_DIR'] ?? './data')
  const sandbox = readSandbox(sandboxPath(folder))
  const url = values.url ?? sandbox?.base_url ?? process.env['PUBLIC_URL']
  const key = values.key ?? sandbox?.operator_key ?? keyIn(join(folder, 'operator.key'))
  if (url === undefined) {
    const start = 'start the server (npm start), or give the address of the platform with --url'
    throw new OperatorFault(noSandbox(sandboxPath(folder), start))
  }
  if (!URL.canParse(url)) {
    throw new OperatorFault('give the address of the platform: --url https://cards.example')
  }
  if (key === undefined) {
    throw new OperatorFault(`there is no operator's key in ${folder}: give --key`)
  }
  return { email, url: url.replace(/\/+$/, ''), key }
}

function parse() {
  const text = { type: 'string' } as const
  const options = { url: text, key: text, help: { type: 'boolean' } } as const
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch {
    throw new OperatorFault(USAGE)
  }
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

async function invite({ email, url, key }: Options): Promise<Invited> {
  const answer = await fetch(`${url}/portal/v1/operators:invite`, {
    method: 'POST',
    headers: { apikey: key, 'content-type': 'application/json' },
    body: JSON.stringify({ email }),
  }).catch((error: unknown) => {
    throw new OperatorFault(unreachable(url, error))
  })
  const body: unknown = await answer.json().catch(() => undefined)
  // The body is the answer of the API to this operation (docs/openapi/portal.json).
  if (answer.ok) return body as Invited
  const { detail = '', errors = [] } = Object(body) as { detail?: string; errors?: Faulty[] }
  const faults = errors.map(({ path, message }) => `${path} ${message}`)
  throw new OperatorFault([`${url} answered ${answer.status}: ${detail}`, ...faults].join('\n  '))
}

type Faulty = { path: string; message: string }
