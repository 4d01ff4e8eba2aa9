/** One process of the platform: its engine, and what becomes of answers that it cannot send. */

import { type Authorizer, Engine, Responder } from '#issuing/authorization/authorization.ts'
import {
  type NetworkEngine,
  openReversals,
  whenUnsent,
} from '#issuing/authorization/port/reversals.ts'
import type { AuthorizationAnswer, AuthorizationRequest } from '#issuing/authorization/schema.ts'
import { reverseUnanswered } from '#issuing/authorization/sweeps.ts'
import type { Db } from '#kit/db/database.ts'
import type { TestMessage } from '#test/support/desk.ts'
import { PATIENCE_MS } from '#test/support/time/patience.ts'
import type { TestTenant, World } from '#test/support/world.ts'
import type { Schedule } from './schedule.ts'
import { type Conditions, waitingDatabase } from './waiting_database.ts'

export type Submission = Parameters<NetworkEngine['submit']>[1]

/** How the way of an answer to the network is. */
export type Way = 'whole' | 'broken before it is sent' | 'lost after it was sent'

export type ProcessOptions = {
  world: World
  db: Db
  tenant: TestTenant
  schedule: Schedule
  name: string
  faults: Pick<Conditions, 'fate' | 'delay'>
  /** The limit of the engine for an answer. */
  answer_ms: number
}

/** An approval that left so much later than it may is a fault, milliseconds. */
export const MARGIN_MS = 1_000

/** Answers of the tenant's responder, per cent. */
const [APPROVES, DECLINES, SILENT] = [70, 15, 8]

export class SimulatedProcess {
  readonly name: string
  protected readonly options: ProcessOptions
  readonly #engine: Engine
  readonly #reversals: ReturnType<typeof openReversals>
  protected readonly ended = Promise.withResolvers<undefined>()
  #isOver = false
  /** Approvals that were sent too late, and other faults of answers. */
  readonly wrong: string[] = []

  constructor(options: ProcessOptions) {
    const { world, db, schedule, name, faults, answer_ms } = options
    this.name = name
    this.options = options
    const conditions = { name, schedule, isOver: () => this.#isOver, ...faults }
    const services = { ...world.services, db: waitingDatabase(db, conditions) }
    const listener = { ask: () => this.#respond(), abort() {} }
    const responder = new Responder(undefined, undefined, listener)
    this.#engine = new Engine(services, { answer_ms, drain_ms: 20_000 }, responder)
    this.#reversals = openReversals(
      {
        submit: (tenant_id, job) => this.#engine.submit(tenant_id, job),
        tenantOfPan: async () => options.tenant.id,
      },
      world.log,
    )
  }

  get isOver(): boolean {
    return this.#isOver
  }

  /** The answer that the network receives; undefined if none comes to it. */
  async receive(request: TestMessage, way: Way): Promise<AuthorizationAnswer | undefined> {
    return Promise.race([this.#answer(request, way).catch(() => undefined), this.ended.promise])
  }

  /** The tenant's own program is asked. */
  async #respond() {
    const { schedule, name } = this.options
    await schedule.point(`${name} asks the responder`)
    const chance = schedule.chance() * 100
    if (chance < APPROVES) return { kind: 'answered' as const, answer: { approved: true } }
    if (chance < APPROVES + DECLINES)
      return { kind: 'answered' as const, answer: { approved: false } }
    return chance < APPROVES + DECLINES + SILENT
      ? { kind: 'unanswered' as const, error: 'silent' }
      : { kind: 'answered' as const, answer: 'yes' }
  }

  async #answer(request: AuthorizationRequest, way: Way): Promise<AuthorizationAnswer | undefined> {
    const { tenant, schedule, name } = this.options
    const answer = await this.decide({ request })
    await schedule.point(`${name} sends ${answer.status_code}`)
    const unsent = whenUnsent(this.#reversals, { tenant_id: tenant.id, request, answer })
    if (way === 'broken before it is sent') {
      schedule.note(`${name}: the connection is broken`)
      unsent?.()
      return undefined
    }
    await schedule.point(`${name} has sent ${answer.status_code}`)
    if (way === 'whole') return answer
    schedule.note(`${name}: the answer is lost on its way`)
    return undefined
  }

  /** The answer of its engine. */
  protected async decide(submission: Submission): Promise<AuthorizationAnswer> {
    const { tenant, name, answer_ms } = this.options
    const { message_type } = submission.request
    const since = performance.now()
    const answer = await this.#engine.submit(tenant.id, submission)
    const age = performance.now() - since
    if (answer.approved && !message_type.endsWith('20') && age > answer_ms + MARGIN_MS) {
      this.wrong.push(`${name} approved ${message_type} after ${age.toFixed(0)} ms`)
    }
    return answer
  }

  /** Runs as the sweep of the program: a failed one is repeated by the next. */
  async sweep(): Promise<void> {
    const { world, tenant, schedule, name } = this.options
    const engine: Authorizer = this.#engine
    if (this.#isOver) return
    const ctx = await world.ctx(tenant.id)
    await reverseUnanswered(engine)
      .run(ctx)
      .catch(() => schedule.note(`${name}: the sweep failed`))
  }

  /** Nothing of it goes on, and nothing more of it comes to the database or to the network. */
  end(): void {
    this.#isOver = true
    this.ended.resolve(undefined)
    this.#engine.drain().catch(() => {})
  }

  /** Everything that it has begun has ended. */
  async quiet(): Promise<void> {
    await this.#reversals.settle(PATIENCE_MS)
    await this.#engine.drain()
  }
}
