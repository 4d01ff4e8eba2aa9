/**
 * `listen` prints the events of a tenant as they come, and forwards them to an address of this
 * machine. With `--responder-to` it answers the questions to the tenant's responder from such an
 * address. No subscription and no tunnel is needed: it reads the pull feed. Ctrl-C ends it with a
 * sum. It forwards each event once, whatever the answer is.
 */

import { Command } from 'commander'
import { onEndSignal } from '#lib/process/end_signals.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT } from '../kit/faults.ts'
import { dataFolder } from '../kit/platform.ts'
import { print, readerGone, styled } from '../kit/print.ts'
import { exitWith } from './command.ts'
import { listenTo } from './listen/events.ts'
import { keyOf } from './listen/keys.ts'
import { type Given, type Options, optionsOf } from './listen/options.ts'
import type { Platform } from './listen/platform.ts'
import { forward } from './listen/post.ts'
import { isListener, passOn, type Question, questionsOf } from './listen/questions.ts'
import type { StreamedEvent } from './listen/sse.ts'

export function command(): Command {
  const command = new Command('listen')
    .description('Prints and forwards events as they come.')
    .option('--forward-to <url>', 'post each event to this address, signed')
    .option(
      '--responder-to <url>',
      'answer the questions to the responder of the tenant from this address, signed; with the ' +
        'setting "responder": {"listener": true}',
    )
    .option('--events <kinds>', 'only events of these kinds, with commas between them')
    .option('--after <event>', 'begin behind this event; at the end of the feed by default')
    .option(
      '--tenant <id>',
      'events of this tenant of the sandbox, by a key for the time of the run',
    )
    .option('--url <url>', 'the platform; that of DATA_DIR/sandbox.json by default')
    .option(
      '--key <key>',
      'an API key that may read, and write for answers; that of the sandbox by default',
    )
    .option('--secret <secret>', 'the whsec_ that signs; a new one is printed by default')
    .option('--json', 'print the events whole')
    .action((given: Given) => exitWith({}, () => listenAs(optionsOf(given, dataFolder()))))
  return withExamples(command, [
    'listen --forward-to http://localhost:4000/hook',
    'listen --events TRANSACTION,PIN_CHANGE',
  ])
}

async function listenAs(options: Options): Promise<number> {
  const ending = new AbortController()
  onEndSignal(() => ending.abort())
  readerGone.addEventListener('abort', () => ending.abort())
  const { key, remove } = await keyOf(options)
  const sum = { events: 0, forwarded: 0, failed: 0, questions: 0, answered: 0 }
  const platform = { url: options.url, key, signal: ending.signal, sum }
  try {
    const connected = Promise.withResolvers<void>()
    await Promise.all([
      listen(options, platform, connected.resolve).finally(connected.resolve),
      options.responder_to && connected.promise.then(() => answerQuestions(options, platform)),
    ])
  } finally {
    ending.abort()
    await remove()
  }
  print(`\n${sumOf(sum, options)}`)
  return EXIT.done
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
