/** From one message to its answer: the header as it came, the command, and an error code always. */

import type { Answer, Command } from './command.ts'
import { makeCvv, verifyCvv } from './commands/cards.ts'
import { cryptogramOfEmv, cryptogramOfScheme } from './commands/cryptograms.ts'
import { bringIn, makeKey, showCheckValue, takeOut } from './commands/keys.ts'
import {
  clearPin,
  fromLmk,
  makeOffsetFromLmk,
  makePvvFromLmk,
  randomPin,
  toLmk,
} from './commands/lmk_pins.ts'
import { makeMac, verifyMac } from './commands/macs.ts'
import { diagnose, echo } from './commands/module.ts'
import {
  changePin,
  makeOffset,
  makePvv,
  translate,
  verifyByOffset,
  verifyByPvv,
} from './commands/pins.ts'
import { scriptOfEmv, scriptOfScheme } from './commands/scripts.ts'
import { CODES, CommandError } from './errors.ts'
import { Fields, trailerOf } from './fields.ts'
import { lmkOf } from './lmk.ts'

export const commands: ReadonlyMap<string, Command> = new Map([
  ['NC', diagnose],
  ['B2', echo],
  ['BU', showCheckValue],
  ['A0', makeKey],
  ['A6', bringIn],
  ['A8', takeOut],
  ['CW', makeCvv],
  ['CY', verifyCvv],
  ['EC', verifyByPvv],
  ['EA', verifyByOffset],
  ['FW', makePvv],
  ['BK', makeOffset],
  ['CU', changePin],
  ['CC', translate],
  ['JA', randomPin],
  ['BA', clearPin],
  ['DE', makeOffsetFromLmk],
  ['DG', makePvvFromLmk],
  ['JE', toLmk],
  ['JG', fromLmk],
  ['KQ', cryptogramOfScheme],
  ['KW', cryptogramOfEmv],
  ['KU', scriptOfScheme],
  ['KY', scriptOfEmv],
  ['M6', makeMac],
  ['M8', verifyMac],
])

/** The command of a message that has none, and of one that is no name of a command. */
const NO_COMMAND = 'ZZ'

/** `header` counts the characters of it. A message that is too short for a command has code 15. */
export function answerTo(message: Buffer, header: number): Buffer {
  const head = message.subarray(0, header)
  const named = message.toString('latin1', header, header + 2)
  const name = /^[A-Z][A-Z0-9]$/.test(named) ? named : NO_COMMAND
  const fields = message.subarray(header + 2)
  const { code, body, trailer } = named.length < 2 ? failed(CODES.input) : done(name, fields)
  const start = Buffer.from(answerName(name) + code, 'latin1')
  return Buffer.concat([head, start, body, trailer])
}

/** The second letter plus one: CY has CZ, A0 has A1. */
const answerName = (name: string): string =>
  name.charAt(0) + String.fromCharCode(name.charCodeAt(1) + 1)

type Done = { code: string; body: Buffer; trailer: Buffer }

const failed = (code: string, trailer: Buffer = Buffer.alloc(0)): Done => ({
  code,
  body: Buffer.alloc(0),
  trailer,
})

function done(name: string, fields: Buffer): Done {
  const command = commands.get(name)
  let trailer: Buffer = trailerOf(fields)
  if (command === undefined) return failed(CODES.disabled, trailer)
  try {
    const { ending, run } = command(new Fields(fields))
    trailer = ending.trailer
    return { ...partsOf(run(lmkOf(ending.lmk))), trailer }
  } catch (error) {
    // Any other error is a fault of the simulator, which a message may not end.
    return failed(error instanceof CommandError ? error.code : CODES.internal, trailer)
  }
}

function partsOf(answer: Answer): { code: string; body: Buffer } {
  if (typeof answer === 'string') return { code: CODES.done, body: Buffer.from(answer, 'latin1') }
  if (Buffer.isBuffer(answer)) return { code: CODES.done, body: answer }
  return { code: CODES[answer.code], body: Buffer.from(answer.fields, 'latin1') }
}
