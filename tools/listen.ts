/**
 * Prints the events of a tenant as they come, and forwards them to an address of this machine:
 *
 *   npm run listen -- --forward-to http://localhost:4000/hook --events TRANSACTION,PIN_CHANGE
 *
 * No subscription and no tunnel is needed: it reads the pull feed. Ctrl-C ends it with a sum. It
 * takes part in nothing: it forwards each event once, whatever the answer is. Exit code 1 where it
 * cannot listen.
 */

import { styleText } from 'node:util'
import { explain } from '#src/explain.ts'
import { listenTo } from './listen/events.ts'
import { forward } from './listen/forward.ts'
import { keyOf } from './listen/keys.ts'
import { ListenFault, type Options, readOptions, USAGE } from './listen/options.ts'
import type { StreamedEvent } from './listen/sse.ts'

type Style = 'green' | 'red' | 'cyan' | 'dim' | 'bold'

const print = (line: string): void => console.log(line)
/** Without colours where the output has none, or NO_COLOR is set. */
const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout })

process.exitCode = await main().catch((error: unknown) => {
  const lines = error instanceof ListenFault ? [error.message] : explain(error)
  for (const line of lines) console.error(line)
  return 1
})

async function main(): Promise<number> {
  const options = readOptions(process.argv.slice(2), process.env['DATA_DIR'])
  if (!options) {
    print(USAGE)
    return 0
  }
  const ending = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => ending.abort())
  const { key, remove } = await keyOf(options)
  const sum = { events: 0, forwarded: 0, failed: 0 }
  try {
    await listen(options, { key, signal: ending.signal, sum })
  } finally {
    await remove()
  }
  print(`\n${sumOf(sum, options)}`)
  return 0
}

function printStart({ url, forward_to, secret }: Options): void {
  print(`Listening to ${styled('bold', url)}. Ctrl-C ends it.`)
  if (forward_to === undefined) return
  print(`Forwarding to ${styled('bold', forward_to)}, signed with ${styled('bold', secret)}`)
}

type Sum = { events: number; forwarded: number; failed: number }
type Run = { key: string; signal: AbortSignal; sum: Sum }

async function listen(options: Options, { key, signal, sum }: Run): Promise<void> {
  const { url, kinds, after } = options
  let isLost: boolean | undefined
  const onConnection = (state: 'lost' | 'connected') => {
    if (state === 'lost' && !isLost) print(styled('red', `${url} does not answer; trying again`))
    if (state === 'connected' && isLost === undefined) printStart(options)
    if (state === 'connected' && isLost) print('connected again')
    isLost = state === 'lost'
  }
  for await (const event of listenTo({ url, key, after, signal, onConnection })) {
    if (kinds && !kinds.has(event.event)) continue
    sum.events += 1
    await take(event, options, sum)
  }
}

async function take(event: StreamedEvent, options: Options, sum: Sum): Promise<void> {
  const { forward_to, secret, json } = options
  const time = styled('dim', new Date().toTimeString().slice(0, 8))
  const line = `${time}  ${styled('cyan', event.event.padEnd(28))} ${event.id}`
  if (forward_to === undefined) print(line)
  else {
    const { ok, what, ms } = await forward(event, forward_to, secret)
    if (ok) sum.forwarded += 1
    else sum.failed += 1
    print(`${line}  ${styled(ok ? 'green' : 'red', what)} ${styled('dim', `in ${ms} ms`)}`)
  }
  if (json) print(JSON.stringify(JSON.parse(event.data), null, 2))
}

function sumOf({ events, forwarded, failed }: Sum, { forward_to }: Options): string {
  if (forward_to === undefined) return `${events} events`
  return `${events} events: ${forwarded} forwarded, ${failed} failed`
}
