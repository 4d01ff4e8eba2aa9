/**
 * `npm run scenario -- run FILE…` runs scenario files against a sandbox, and `record TRANSACTION`
 * makes one of a transaction (docs/scenarios.md).
 */

import { writeFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { Api } from './scenarios/platform/api.ts'
import {
  connectPlatform,
  PlatformFault,
  readTenant,
  type StartedPlatform,
  startPlatform,
} from './scenarios/platform/platform.ts'
import { recordTransaction } from './scenarios/record/record.ts'
import { faultsInWords, inWords, junitOf, summary } from './scenarios/run/report.ts'
import { parseAll, type Ready, readSource, runAll } from './scenarios/run/run.ts'
import { StepFault } from './scenarios/run/step_fault.ts'

const USAGE = `npm run scenario -- run FILE… [options]

  --junit FILE         also writes the outcome as JUnit XML
  --url URL            a running sandbox; without it one is started with a database of its own
  --key KEY            the operator's key; that of DATA_DIR/sandbox.json where it is left out
  --network HOST:PORT  the network port of the sandbox; likewise

npm run scenario -- record TRANSACTION [options]

  --out FILE           writes the scenario there instead of printing it
  --url URL, --key KEY the platform, and an API key of the tenant that reads; those of
                       DATA_DIR/sandbox.json where they are left out

Exit codes: 0 all passed, 1 a scenario failed, 2 nothing was run or written`

const NOT_DONE = 2

/** Nothing can be run; the message states why. */
class UsageFault extends Error {}

try {
  process.exitCode = await main()
} catch (error) {
  const isKnown =
    error instanceof UsageFault || error instanceof PlatformFault || error instanceof StepFault
  if (!isKnown) throw error
  console.error(error.message)
  process.exitCode = NOT_DONE
}

async function main(): Promise<number> {
  const options = readOptions()
  return options.command === 'record' ? record(options) : run(options)
}

async function record({ files: [id = ''], out, url, key }: Options): Promise<number> {
  const known = readTenant(process.env['DATA_DIR'] ?? './data')
  const base_url = url ?? known?.base_url
  const api_key = key ?? known?.tenant.api_key
  if (base_url === undefined || api_key === undefined) {
    throw new UsageFault('there is no sandbox in DATA_DIR: give --url and --key')
  }
  const text = await recordTransaction(new Api(base_url), api_key, id)
  if (out === undefined) console.log(text)
  else write(out, text)
  return 0
}

async function run({ files, junit, ...named }: Options): Promise<number> {
  const parsed = parseAll(files.map(readSource))
  const refused = parsed.filter((one) => 'faults' in one)
  if (refused.length > 0) {
    console.error(refused.map(faultsInWords).join('\n'))
    console.error('Nothing was run.')
    return NOT_DONE
  }
  const ready = parsed.filter((one): one is Ready => !('faults' in one))
  const platform = await platformOf(named)
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void platform.close().finally(() => process.exit(NOT_DONE)))
  }
  try {
    const outcomes = await runAll(ready, platform, (outcome) => console.log(inWords(outcome)))
    console.log(`\n${summary(outcomes)}`)
    if (junit !== undefined) write(junit, junitOf(outcomes))
    return outcomes.some(({ failure }) => failure) ? 1 : 0
  } finally {
    await platform.close()
  }
}

function write(path: string, text: string): void {
  try {
    writeFileSync(path, text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageFault(`${path} cannot be written: ${reason}`)
  }
}

type Options = Named & {
  command: string
  files: string[]
  junit?: string | undefined
  out?: string | undefined
}
type Named = { url?: string | undefined; key?: string | undefined; network?: string | undefined }

function readOptions(): Options {
  const { positionals, values } = parse()
  const [command = '', ...files] = positionals
  const { junit, out, url, key, network, help } = values
  const isRecord = command === 'record' && files.length === 1 && !junit && !network
  const isRun = command === 'run' && files.length > 0 && !out
  if (help || !(isRun || isRecord)) throw new UsageFault(USAGE)
  if (isRun && url === undefined && (key !== undefined || network !== undefined)) {
    throw new UsageFault('--key and --network need --url')
  }
  return { command, files, junit, out, url, key, network }
}

function parse() {
  const text = { type: 'string' } as const
  const options = {
    ...{ junit: text, out: text, url: text, key: text, network: text },
    help: { type: 'boolean' },
  } as const
  try {
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    const reason = error instanceof Error ? `${error.message}\n\n` : ''
    throw new UsageFault(`${reason}${USAGE}`)
  }
}

async function platformOf({ url, key, network }: Named): Promise<StartedPlatform> {
  if (url === undefined) return startPlatform()
  const data_dir = process.env['DATA_DIR'] ?? './data'
  return { ...(await connectPlatform({ url, key, network }, data_dir)), close: async () => {} }
}
