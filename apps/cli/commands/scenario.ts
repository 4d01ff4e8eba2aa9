/** `scenario run|record`: scenario files against a sandbox (docs/scenarios.md). */

import { Command } from 'commander'
import { onEndSignal } from '#lib/process/end_signals.ts'
import { type ApiOptions, apiCommand, withExamples } from '../kit/command.ts'
import { EXIT, UsageFault } from '../kit/faults.ts'
import { writeText } from '../kit/files.ts'
import { apiPlatformOf } from '../kit/platform.ts'
import { note, print } from '../kit/print.ts'
import { addressOf } from '../kit/profiles.ts'
import { jsonOf } from '../kit/text.ts'
import {
  apiOf,
  connectPlatform,
  type StartedPlatform,
  startPlatform,
} from '../scenarios/platform/platform.ts'
import { recordTransaction } from '../scenarios/record/record.ts'
import { inWords, junitOf, summary } from '../scenarios/run/report.ts'
import { type Outcome, parseAll, type Ready, readSource, runAll } from '../scenarios/run/run.ts'

type RunOptions = ApiOptions & { junit?: string; url?: string; network?: string }
type RecordOptions = ApiOptions & { out?: string }

export function scenarioCommand(): Command {
  const run = apiCommand('run')
    .summary('run scenario files')
    .description('Runs scenario files, each with a tenant of its own.')
    .argument('<files...>', 'scenarios, as YAML')
    .option('--junit <file>', 'also write the outcome as JUnit XML')
    .option('--url <url>', 'a running sandbox; without it one is started, with its own database')
    .option('--network <host:port>', 'ISO 8583 port of that sandbox; else that of sandbox.json')
    .action(runFiles)
  const record = apiCommand('record')
    .summary('make a scenario of a transaction')
    .description('Makes a scenario of a transaction of the tenant.')
    .argument('<transaction>', 'id of the transaction')
    .option('--out <file>', 'write the file; on the screen where it is left out')
    .action(recordOne)
  const runs = ['scenario run examples/scenarios/*.yaml', 'scenario run mine.yaml --junit out.xml']
  const records = ['scenario record ID --out mine.yaml']
  const both = new Command('scenario').description('Runs scenario files, or makes one.')
  both.addCommand(withExamples(run, runs)).addCommand(withExamples(record, records))
  return withExamples(both, [...runs, ...records])
}

async function recordOne(id: string, { out, json, ...options }: RecordOptions): Promise<void> {
  const { url, key } = apiPlatformOf(options)
  const text = await recordTransaction(apiOf(url), key, id)
  if (out !== undefined) writeText(out, text)
  if (json) print(jsonOf(out === undefined ? { text } : { file: out }))
  else if (out === undefined) print(text.trimEnd())
}

async function runFiles(files: readonly string[], options: RunOptions): Promise<void> {
  const { junit, json } = options
  const parsed = parseAll(files.map(readSource))
  const refused = parsed.flatMap((one) => ('faults' in one ? one.faults : []))
  if (refused.length > 0) {
    for (const line of refused) note(line)
    note('Nothing was run.')
    process.exitCode = EXIT.usage
    return
  }
  const ready = parsed.filter((one): one is Ready => !('faults' in one))
  const ending = new AbortController()
  onEndSignal(() => ending.abort())
  const platform = await platformOf(options, ending.signal)
  const end = () => void platform.close().finally(() => process.exit(EXIT.usage))
  ending.signal.addEventListener('abort', end)
  try {
    // The signal may have come as the program was ready.
    if (ending.signal.aborted) return end()
    const ended = json ? () => {} : (outcome: Outcome) => print(inWords(outcome))
    const outcomes = await runAll(ready, platform, ended)
    print(json ? jsonOf(outcomes) : `\n${summary(outcomes)}`)
    if (junit !== undefined) writeText(junit, junitOf(outcomes))
    if (outcomes.some(({ failure }) => failure)) process.exitCode = EXIT.failed
  } finally {
    await platform.close()
  }
}

/** The sandbox of --url or --profile, whose key is the operator's, or one that is started. */
async function platformOf(
  { profile, url, network }: RunOptions,
  signal: AbortSignal,
): Promise<StartedPlatform> {
  if (profile !== undefined && url !== undefined) {
    throw new UsageFault('give --url or --profile, not both')
  }
  if (profile === undefined && url === undefined) {
    if (network !== undefined) throw new UsageFault('--network needs --url or --profile')
    return startPlatform({ signal })
  }
  const named = url === undefined ? apiPlatformOf({ ...(profile && { profile }) }) : ofUrl(url)
  return { ...(await connectPlatform({ ...named, network })), close: async () => {} }
}

function ofUrl(url: string): { url: string; key?: string } {
  const key = process.env['BEZANT_KEY']
  return { url: addressOf(url), ...(key && { key }) }
}
