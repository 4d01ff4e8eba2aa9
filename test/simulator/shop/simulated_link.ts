/** The way of one simulated process to the issuer: its messages and their answers may be lost. */

import { connect } from 'node:net'
import type { Log } from '#kit/log.ts'
import { IssuerLink } from '#merchant/acquirer/acquirer.ts'
import { answerTo } from '#test/e2e/issuer.ts'
import type { Schedule } from '../schedule.ts'

/** `made up` is a fault that is planted: an approval of what never came to the issuer. */
export type Way =
  | 'whole'
  | 'never sent'
  | 'lost before it arrives'
  | 'its answer is lost'
  | 'made up'

type Conditions = {
  port: number
  log: Log
  name: string
  schedule: Schedule
  isOver: () => boolean
  /** The way of the next message. */
  way: () => Way
}

export class SimulatedLink extends IssuerLink {
  readonly #conditions: Conditions

  constructor(conditions: Conditions) {
    const { port, log } = conditions
    const usual = {
      address: () => ({ host: '127.0.0.1', port }),
      dial: (address: { host: string; port: number }) => connect(address),
      dialect: 'ascii' as const,
      header: 'binary2' as const,
      log,
      connections: 1,
    }
    super({ usual, log })
    this.#conditions = conditions
  }

  override async exchange(...given: Parameters<IssuerLink['exchange']>) {
    const { name, schedule, isOver, way } = this.#conditions
    const [, message] = given
    const { mti } = message
    await schedule.point(`${name} sends ${mti}`)
    if (isOver()) return UNANSWERED
    const fate = way()
    if (fate !== 'whole') schedule.note(`${name}: ${mti} ${fate}`)
    if (fate === 'never sent') return { kind: 'unsent' as const }
    if (fate === 'made up') return { kind: 'answered' as const, message: answerTo(message, '00') }
    if (fate === 'lost before it arrives') return UNANSWERED
    const answer = await schedule.during(super.exchange(...given))
    await schedule.point(`${name} has the answer to ${mti}`)
    return isOver() || fate === 'its answer is lost' ? UNANSWERED : answer
  }
}

const UNANSWERED = { kind: 'unanswered' } as const
