/**
 * `scheme` is the other end of a network of NETWORKS_FILE, to try one with before the real one is
 * there (docs/connect_a_network.md): it connects or listens, does what its words say, and prints
 * each message with its card number masked, and what its answer means.
 */

import { createInterface } from 'node:readline'
import { Command, Option } from 'commander'
import { describe } from '#iso8583/describe.ts'
import { dialects } from '#iso8583/dialects.ts'
import { envelopeNames } from '#iso8583/envelope.ts'
import { headerNames } from '#iso8583/framing.ts'
import { maskedFields } from '#iso8583/masked.ts'
import { macAlgorithms } from '#mac/mac.ts'
import { type Passed, SchemeLine } from '#sandbox/network_peer/line.ts'
import { Scheme, WORDS } from '#sandbox/network_peer/peer.ts'
import type { Verdict } from '#sandbox/network_peer/verdicts.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, Fault, UsageFault } from '../kit/faults.ts'
import { note, print } from '../kit/print.ts'
import { exitWith } from './command.ts'
import { type Given, type Settings, settingsOf } from './scheme/settings.ts'
import { openSocket } from './scheme/socket.ts'
import { type Step, stepsOf } from './scheme/steps.ts'

const FORMAT = 'scheme 1'

export function command(): Command {
  const choice = (flags: string, text: string, among: readonly string[]) =>
    new Option(flags, text).choices(among)
  const command = new Command('scheme')
    .description('Is the scheme at the other end of a network, to try NETWORKS_FILE with.')
    .argument('[words...]', 'what to do, in this order; without words, lines of standard input')
    .option('--networks <file>', 'a NETWORKS_FILE: it is the other end of its network')
    .option('--network <name>', 'which network of the file, if it has several')
    .option('--connect <host:port>', 'the address where the platform listens')
    .option('--listen <port>', 'a port of 127.0.0.1 to which the platform connects')
    .addOption(choice('--dialect <name>', 'how messages are written', Object.keys(dialects)))
    .addOption(choice('--header <name>', 'the length before each message', headerNames))
    .addOption(choice('--envelope <name>', 'the bytes before the MTI', envelopeNames))
    .addOption(choice('--mac <algorithm>', 'the code of messages (MAC)', macAlgorithms))
    .addOption(choice('--padding <method>', 'the padding of the code', ['1', '2']))
    .option('--zmk <file>', 'the zone master key in hex; it is made where there is no such file')
    .option('--zak <file>', 'keeps the key of codes for the next run')
    .option('--key-block', 'send keys as key blocks (TR-31)')
    .option('--aes', 'make keys of AES, for cmac and PIN blocks of format 4')
    .option('--card <number>', 'the card that pays')
    .option('--pin <digits>', 'its PIN, for withdrawals')
    .option('--currency <code>', 'the currency of amounts', 'AED')
    .option('--mcc <code>', 'the category of the shop', '5411')
    .option('--wait <seconds>', 'how long an answer may take', '10')
    .option('--json', 'print a JSON object a line')
    .addHelpText('after', `\nWords:\n${wordLines()}`)
    .action((words: string[], given: Given) =>
      exitWith({ format: given.json ? FORMAT : undefined }, () => run(words, given)),
    )
  return withExamples(command, [
    'scheme --networks networks.json sign-on echo',
    'scheme --networks networks.json --zak zak.hex --card NUMBER sign-on zak purchase 25.00',
    'scheme --networks networks.json --card NUMBER --pin PIN sign-on zpk withdrawal 100.00',
    'scheme --listen 9200 --mac iso9797_3 --zmk zmk.hex await-sign-on await-key-request',
  ])
}

const wordLines = (): string =>
  Object.entries(WORDS)
    .map(([word, text]) => `  ${word.padEnd(19)}${text}`)
    .join('\n')

async function run(words: readonly string[], given: Given): Promise<number> {
  if (process.env['MODE'] === 'live') throw new Fault('MODE is live: no scheme is made up there')
  const settings = settingsOf(given)
  const steps = stepsOf(words, settings)
  const { scheme, line } = await open(settings, given.json)
  const all = steps.length > 0 ? steps : typed(line, settings)
  let isDone = true
  for await (const step of all) {
    const verdict = await scheme.do(step.word, step.amount)
    print(given.json ? objectOf({ step: step.word, ...verdict }) : verdictLine(verdict))
    isDone = verdict.ok && isDone
    if (line.isClosed) break
  }
  line.end()
  return isDone ? EXIT.done : EXIT.failed
}

async function open(
  settings: Settings,
  json = false,
): Promise<{ scheme: Scheme; line: SchemeLine }> {
  const socket = await openSocket(settings)
  const line: SchemeLine = new SchemeLine({
    ...settings.line,
    socket,
    report: (passed) => print(json ? objectOf(shown(passed)) : sentenceOf(passed)),
    unreadable: (reason) => note(`what came is no message: ${reason}`),
    requested: (message) => scheme.answer(message),
  })
  line.key = settings.zak
  const scheme = new Scheme({ ...settings.scheme, line })
  return { scheme, line }
}

/** Steps of standard input, a line after the other. A wrong line is said, and does nothing. */
async function* typed(line: SchemeLine, settings: Settings): AsyncGenerator<Step> {
  const reader = createInterface({ input: process.stdin })
  void line.closed.then(() => reader.close())
  for await (const text of reader) {
    try {
      yield* stepsOf(
        text.split(/\s+/).filter((word) => word !== ''),
        settings,
      )
    } catch (error) {
      if (!(error instanceof UsageFault)) throw error
      for (const sentence of error.lines) note(sentence)
    }
  }
}

const CODES = { right: ', MAC right', wrong: ', MAC wrong', unknown: ', MAC unknown', none: '' }

const sentenceOf = ({ way, message, mac }: Passed): string =>
  `${way} ${describe(message)}${CODES[mac]}`

const verdictLine = ({ ok, says }: Verdict): string => `  ${ok ? 'ok' : 'NOT OK'} ${says}`

function shown({ way, message, mac }: Passed): object {
  const fields = Object.fromEntries(
    maskedFields(message, true).map(([number, value]) => [number, value]),
  )
  return { way, mti: message.mti, fields, mac }
}

const objectOf = (members: object): string => JSON.stringify({ format: FORMAT, ...members })
