/** Purchases for the engine, a number in flight, and how long it is silent between answers. */

import { Engine } from '#issuing/authorization/authorization.ts'
import type { AuthorizationRequest } from '#issuing/authorization/schema.ts'
import type { Services } from '#kit/http/callers/callers.ts'
import { CURRENCY } from './cards.ts'
import { type Cpu, type CpuMeter, ofEach } from './cpu.ts'

export type EngineLoad = {
  tenant_id: string
  request: () => AuthorizationRequest
  in_flight: number
  seconds: number
  /** Ends after so many, if the time is not over before. */
  decisions?: number
}

/** `longest_gap` is the longest time without an answer, `longest` that of one answer; ms. */
export type Decided = { count: number; per_second: number; longest_gap: number; longest: number }

/** The longest time for a load that ends after a number of decisions. */
const LONGEST_SECONDS = 600

let stan = 0

export async function driveEngine(services: Services, load: EngineLoad): Promise<Decided> {
  const engine = new Engine(services)
  const begun = performance.now()
  const end = begun + load.seconds * 1000
  const { decisions = Number.POSITIVE_INFINITY } = load
  let [count, answered, longest_gap, longest] = [0, begun, 0, 0]
  const worker = async () => {
    for (let asked = begun; asked < end && count < decisions; ) {
      const answer = await engine.submit(load.tenant_id, { request: load.request() })
      if (!answer.approved) throw new Error(`declined: ${answer.status_code}`)
      const now = performance.now()
      longest_gap = Math.max(longest_gap, now - answered)
      longest = Math.max(longest, now - asked)
      answered = now
      asked = now
      count += 1
    }
  }
  await Promise.all(Array.from({ length: load.in_flight }, worker))
  await engine.drain()
  return { count, per_second: count / load.seconds, longest_gap, longest }
}

/** `cpu` is the CPU time of a decision, microseconds. */
export type DecisionCost = { per_second: number; cpu: Cpu | undefined }

/** The cost of a number of decisions, at their limit. */
export async function costOfDecisions(
  meter: CpuMeter,
  services: Services,
  load: Omit<EngineLoad, 'seconds'>,
): Promise<DecisionCost> {
  const [{ count, seconds }, cpu] = await meter.measure(async () => {
    const begun = performance.now()
    const decided = await driveEngine(services, { ...load, seconds: LONGEST_SECONDS })
    return { count: decided.count, seconds: (performance.now() - begun) / 1_000 }
  })
  return { per_second: count / seconds, cpu: cpu && ofEach(cpu, count) }
}

/** A purchase of 1.00 with a number of its own. */
export function purchase(card_id: string): AuthorizationRequest {
  stan += 1
  const rrn = String(stan).padStart(12, '0')
  return {
    message_type: '0100',
    processing_code: '000000',
    card: { card_id },
    amount: 100n,
    currency: CURRENCY,
    merchant: { id: 'SHOP', name: 'Shop', mcc: '5411', city: 'Dubai', country: 'ARE' },
    pos: { entry_mode: 'ECOMMERCE', environment: 'ECOMMERCE', terminal_id: 'TERM0001' },
    entry_mode: 'ECOMMERCE',
    three_ds: 'NONE',
    recurring: false,
    partial_capable: false,
    is_verification: false,
    rrn,
    stan: rrn.slice(6),
    original: { rrn },
  }
}
