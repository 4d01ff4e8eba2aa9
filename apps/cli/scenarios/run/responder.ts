/** The responder of a scenario's tenant: answers its questions by calls (docs/responder.md). */

import { Fault } from '../../kit/faults.ts'
import type { StepOf } from '../file/schema.ts'
import type { Tenant } from '../platform/tenant.ts'
import { StepFault } from './step_fault.ts'

type Verdict = StepOf<'responder'>['responder']
type Question = { id: string }

const WAIT_S = 30
const TIMEOUT_MS = 3_000

export class Responder {
  readonly #tenant: Tenant
  #listening: { abort: AbortController; ended: Promise<void> } | undefined

  constructor(tenant: Tenant) {
    this.#tenant = tenant
  }

  /** Registers it where it is not, and answers so from now on. Throws StepFault. */
  async set(verdict: Verdict): Promise<void> {
    await this.close()
    const { timeout_ms = TIMEOUT_MS, default_action } = verdict
    await this.#tenant.made('PUT', '/tenantsettings', {
      responder: { listener: true, timeout_ms, ...(default_action && { default_action }) },
    })
    if (verdict.answer === 'silent') return
    const abort = new AbortController()
    this.#listening = { abort, ended: this.#listen(verdict, abort.signal) }
  }

  async close(): Promise<void> {
    const listening = this.#listening
    this.#listening = undefined
    listening?.abort.abort()
    await listening?.ended
  }

  async #listen({ answer, amount }: Verdict, signal: AbortSignal): Promise<void> {
    const approved = answer === 'approve'
    const body = { approved, ...(approved && amount !== undefined && { amount: Number(amount) }) }
    const answered = new Set<string>()
    try {
      while (!signal.aborted) await this.#answerAll(body, answered, signal)
    } catch (error) {
      // The program is away or the step is over: a request without an answer shows in the decision.
      if (!signal.aborted && !(error instanceof Fault)) throw error
    }
  }

  async #answerAll(body: object, answered: Set<string>, signal: AbortSignal): Promise<void> {
    const path = '/v1/simulate/responderrequests'
    const except = [...answered].map((id) => `&except=${id}`).join('')
    const polled = await this.#tenant.poll(`${path}?wait=${WAIT_S}${except}`, signal)
    if (polled.problem !== undefined) throw new StepFault([], polled.problem)
    const questions: Question[] = polled.body.data
    for (const { id } of questions) {
      answered.add(id)
      await this.#tenant.call('tenant', 'POST', `${path}/${id}:answer`, body)
    }
  }
}
