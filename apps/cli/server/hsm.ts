/**
 * `hsm` runs a simulator of a hardware security module on this machine (docs/hsm_simulator.md), to
 * try the program with. It is none, says so at each start, and does not run beside MODE=live.
 */

import { once } from 'node:events'
import { Command } from 'commander'
import { onEndSignal } from '#lib/process/end_signals.ts'
import { checkValueOfLmk, LMKS } from '#sandbox/hsm/lmk.ts'
import { type Simulator, type SimulatorOptions, startSimulator } from '#sandbox/hsm/simulator.ts'
import { printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, Fault, UsageFault } from '../kit/faults.ts'
import { print } from '../kit/print.ts'
import { exitWith, type Json } from './command.ts'

const FORMAT = 'hsm 1'
const NOTICE =
  'This is a simulator and no hardware security module: its keys are published and protect nothing.'
const PORT_MAX = 65_535
/** Longer than any module that is used has. */
const HEADER_MAX = 255
const DELAY_MAX = 60_000

type Given = Json & { port: string; header: string; delayMs: string }

export function command(): Command {
  const command = new Command('hsm')
    .description('Runs a simulator of a hardware security module on this machine.')
    .option('--port <port>', 'the port of 127.0.0.1; 0 takes any that is free', '1500')
    .option('--header <characters>', 'the characters of the header of each message', '4')
    .option('--delay-ms <ms>', 'how long each command takes, whatever others are under way', '0')
    .option('--json', 'print JSON')
    .action((given: Given) => {
      const format = given.json ? FORMAT : undefined
      return exitWith({ format }, () => simulate(optionsOf(given), given.json))
    })
  return withExamples(command, ['hsm', 'hsm --port 9100 --delay-ms 1'])
}

const optionsOf = ({ port, header, delayMs }: Given): SimulatorOptions => ({
  port: numberOf('--port', port, PORT_MAX),
  header: numberOf('--header', header, HEADER_MAX),
  delay_ms: numberOf('--delay-ms', delayMs, DELAY_MAX),
})

function numberOf(option: string, text: string, most: number): number {
  const number = Number(text)
  if (/^[0-9]+$/.test(text) && number <= most) return number
  throw new UsageFault(`${option} is a whole number from 0 to ${most}`)
}

async function simulate(options: SimulatorOptions, json = false): Promise<number> {
  if (process.env['MODE'] === 'live') {
    throw new Fault('MODE is live: a simulator protects no key. Connect a hardware security module')
  }
  const ending = new AbortController()
  const ended = once(ending.signal, 'abort')
  onEndSignal(() => ending.abort())
  const simulator = await started(options)
  say(simulator, options, json)
  await ended
  await simulator.close()
  return EXIT.done
}

async function started(options: SimulatorOptions): Promise<Simulator> {
  try {
    return await startSimulator(options)
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    throw new Fault(`port ${options.port} cannot be had (${reason}): name another with --port`)
  }
}

function say({ port }: Simulator, { header, delay_ms }: SimulatorOptions, json: boolean): void {
  const lmks = LMKS.map((lmk) => ({ lmk: lmk.id, check_value: checkValueOfLmk(lmk) }))
  if (json) {
    const address = '127.0.0.1'
    printJson({ format: FORMAT, ok: true, notice: NOTICE, address, port, header, delay_ms, lmks })
    return
  }
  print(`${NOTICE}
It listens on 127.0.0.1:${port}; a header has ${header} characters. Ctrl-C ends it.`)
  for (const { lmk, check_value } of lmks) print(`LMK ${lmk} has the check value ${check_value}`)
}
