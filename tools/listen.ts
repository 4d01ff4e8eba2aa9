/**
 * Prints the events of a tenant as they come, and forwards them to an address of this machine:
 *
 *   npm run listen -- --forward-to http://localhost:4000/hook --events TRANSACTION,PIN_CHANGE
 *
 * With `--responder-to` it answers the questions to the tenant's responder from such an address.
 * No subscription and no tunnel is needed: it reads the pull feed. Ctrl-C ends it with a sum. It
 * forwards each event once, whatever the answer is. Exit code 1 where it cannot listen.
 */

import { styleText } from 'node:util'
import { onEndSignal } from '#lib/process/end_signals.ts'
import { explain } from '#src/program/explain.ts'
import { readerGone, watchOutput } from '../apps/cli/kit/print.ts'
import { listenTo } from './listen/events.ts'
import { keyOf } from './listen/keys.ts'
import { ListenFault, type Options, readOptions, USAGE } from './listen/options.ts'
import type { Platform } from './listen/platform.ts'
import { forward } from './listen/post.ts'
import { isListener, passOn, type Question, questionsOf } from './listen/questions.ts'
import type { StreamedEvent } from './listen/sse.ts'

type Style = 'green' | 'red' | 'cyan' | 'dim' | 'bold'

const print = (line: string): void => console.log(line)
/** Text without colours if the output has none, or NO_COLOR is set. */
const styled = (style: Style, text: string) => styleText(style, text, { stream: process.stdout })

watchOutput()
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
  onEndSignal(() => ending.abort())
  readerGone.addEventListener('abort', () => ending.abort())
  const { key, remove } = await keyOf(options)
  const sum = { events: 0, forwarded: 0, failed: 0, questions: 0, answered: 0 }
  const run = { url: options.url, key, signal: ending.signal, sum }
  try {
    const connected = Promise.withResolvers<void>()
    await Promise.all([
      listen(options, run, connected.resolve).finally(connected.resolve),
      options.responder_to && connected.promise.then(() => answerQuestions(options, run)),
    ])
  } finally {
    ending.abort()
    await remove()
  }
  print(`\n${sumOf(sum, options)}`)
  return 0
}

function printStart({ url, forward_to, responder_to, secret }: Options): void {
  print(`Listening to ${styled('bold', url)}. Ctrl-C ends it.`)
  const signed = `signed with ${styled('bold', secret)}`
  if (forward_to) print(`Forwarding to ${styled('bold', forward_to)}, ${signed}`)
  if (responder_to) print(`Answering from ${styled('bold', responder_to)}, ${signed}`)
}

type Sum = Record<'events' | 'forwarded' | 'failed' | 'questions' | 'answered', number>
type Run = Platform & { sum: Sum }

/** `onStart` is called once it is connected. */
async function listen(options: Options, run: Run, onStart: () => void): Promise<void> {
  const { url, kinds, after } = options
  let isLost: boolean | undefined
  const onConnection = (state: 'lost' | 'connected') => {
    if (state === 'lost' && !isLost) print(styled('red', `${url} does not answer; trying again`))
    if (state === 'connected' && isLost === undefined) printStart(options)
    if (state === 'connected' && isLost) print('connected again')
    isLost = state === 'lost'
    if (!isLost) onStart()
  }
  for await (const event of listenTo({ ...run, after, onConnection })) {
    if (kinds && !kinds.has(event.event)) continue
    run.sum.events += 1
    await take(event, options, run.sum)
  }
}

/** Each question by itself: a slow answer delays no other. */
async function answerQuestions(options: Options, run: Run): Promise<void> {
  if (run.signal.aborted) return
  const setting = 'PUT /v1/tenantsettings {"responder":{"listener":true}}'
  if (!(await isListener(run))) print(styled('red', `No question comes before ${setting}`))
  for await (const question of questionsOf(run)) void answer(question, options, run)
}

async function answer(question: Question, options: Options, run: Run): Promise<void> {
  const { responder_to: to = '', secret, json } = options
  run.sum.questions += 1
  const { isAnswered, what, ms } = await passOn(run, question, { to, secret })
  if (isAnswered) run.sum.answered += 1
  const { id, transaction } = question
  const asked = `approve ${transaction.amount} ${transaction.currency}?`
  print(`${lineOf(asked, id)}  ${resultOf(isAnswered, what, ms)}`)
  if (json) print(JSON.stringify(transaction, null, 2))
}

function lineOf(name: string, id: string): string {
  const time = styled('dim', new Date().toTimeString().slice(0, 8))
  return `${time}  ${styled('cyan', name.padEnd(28))} ${id}`
}

function resultOf(isGood: boolean, what: string, ms: number): string {
  return `${styled(isGood ? 'green' : 'red', what)} ${styled('dim', `in ${ms} ms`)}`
}

async function take(event: StreamedEvent, options: Options, sum: Sum): Promise<void> {
  const { forward_to, secret, json } = options
  const line = lineOf(event.event, event.id)
  if (forward_to === undefined) print(line)
  else {
    const { ok, what, ms } = await forward(event, forward_to, secret)
    if (ok) sum.forwarded += 1
    else sum.failed += 1
    print(`${line}  ${resultOf(ok, what, ms)}`)
  }
  if (json) print(JSON.stringify(JSON.parse(event.data), null, 2))
}

function sumOf(sum: Sum, { forward_to, responder_to }: Options): string {
  const { events, forwarded, failed, questions, answered } = sum
  const ofEvents = forward_to ? `: ${forwarded} forwarded, ${failed} failed` : ''
  const asked = responder_to ? `; ${questions} questions: ${answered} answered` : ''
  return `${events} events${ofEvents}${asked}`
}
