/**
 * Does what a plan says, in its order; an error states which actions are done and which are left.
 */

import { hmacSha256 } from '#lib/digest.ts'
import { type Answer, type Api, type Ask, RequestFault } from '../../kit/api.ts'
import { Fault } from '../../kit/faults.ts'
import type { Members, Value } from '../../kit/values.ts'
import { KINDS, LIMIT_IDS, LIMITS, type Limit, nameOf } from '../kinds.ts'
import type { Action, Plan } from '../plan/plan.ts'
import { actionTitle } from '../plan/present.ts'
import { hasReference, type Secrets } from '../platform/secrets.ts'
import type { State } from '../platform/state.ts'
import { changedBody, type IdOf, isLimit, type NewEntry, newBody } from './bodies.ts'

/** Links of a product to limits of one kind, at most. */
const LINKS_MAX = 20
/** How often what a request makes may have been taken back in the 24 hours of its key. */
const REPLAYS_MAX = 50

export type Applying = { api: Api; key: string; secrets: Secrets; state: State }

/** Values with references that the actions send: all of them have to be known at first. */
export function sentValues({ actions }: Plan): Members[] {
  const idOf: IdOf = (_, name) => name
  return actions.flatMap((action) => {
    if (action.action === 'delete') return []
    if (action.action === 'create' && isSent(action)) return [newBody(action, idOf)]
    const body = changedBody(action, idOf)
    return body ? [body] : []
  })
}

const isSent = (action: Action): action is NewEntry => action.section !== 'settings'

/** Calls `onDone` after each. Throws a Fault with the error, what is done and what is left. */
export async function applyPlan(
  { actions }: Plan,
  applying: Applying,
  onDone: (action: Action) => void,
): Promise<void> {
  const writer = new Writer(applying)
  for (const [at, action] of actions.entries()) {
    try {
      await writer.write(action)
    } catch (error) {
      if (!(error instanceof Fault)) throw error
      const left = actions.slice(at).map(actionTitle)
      throw new Fault([
        `failed: ${actionTitle(action)}`,
        ...error.lines.map((line) => `  ${line}`),
        `done: ${at} of ${actions.length}; left: ${left.length}`,
        ...left.map((title) => `  ${title}`),
        'Apply the file again to go on from here: what is done is not done again.',
      ])
    }
    onDone(action)
  }
}

class Writer {
  readonly #api: Api
  readonly #key: string
  readonly #secrets: Secrets
  readonly #ids: Map<string, string>

  constructor({ api, key, secrets, state }: Applying) {
    this.#api = api
    this.#key = key
    this.#secrets = secrets
    this.#ids = new Map(
      [...state.stored].flatMap(([section, all]) =>
        all.map(({ name, id }) => [`${section} ${name}`, id] as const),
      ),
    )
  }

  async write(action: Action): Promise<void> {
    if (!isSent(action)) {
      const body = changedBody(action, this.#idOf) ?? {}
      await this.#api.send({ method: 'PUT', path: '/tenantsettings', body })
      return
    }
    const path = `/${KINDS[action.section].path}`
    const id = action.stored?.id
    if (id === undefined) return this.#create(action, path)
    if (action.action === 'delete') {
      await this.#api.send({ method: 'DELETE', path: `${path}/${id}` })
      return
    }
    const body = changedBody(action, this.#idOf)
    if (body) await this.#put(`${path}/${id}`, body)
    for (const limit of LIMITS) {
      if (action.changes.some(({ member }) => isLimit(member) && member === limit)) {
        await this.#link(id, limit, action.wanted?.[limit], action.stored?.object[LIMIT_IDS[limit]])
      }
    }
  }

  readonly #idOf: IdOf = (section, name) => {
    const id = this.#ids.get(`${section} ${name}`)
    if (id === undefined) throw new Fault(`${section} has no ${name}`)
    return id
  }

  async #create(action: NewEntry, path: string): Promise<void> {
    const { section, name, wanted = {} } = action
    const made = await this.#post(path, newBody(action, this.#idOf), async (before) => {
      const found = await this.#found(`${path}/${before['id']}`)
      return found !== undefined && nameOf(section, found) === name
    })
    const id = String(made['id'])
    this.#ids.set(`${section} ${name}`, id)
    if (section === 'webhooks' && wanted['status'] === 'DISABLED') {
      await this.#put(`${path}/${id}`, { status: 'DISABLED' })
    }
    if (section !== 'card_products') return
    for (const limit of LIMITS) await this.#link(id, limit, wanted[limit], [])
  }

  #put(path: string, body: Members): Promise<Answer> {
    return this.#api.send({ method: 'PUT', path, body: this.#secrets.resolve(body) })
  }

  /**
   * Links first and unlinks then, so that no moment has fewer limits than before or after; the
   * other way round where a product cannot have both.
   */
  async #link(id: string, limit: Limit, names: Value | undefined, linked: Value | undefined) {
    const wanted = listOf(names).map((name) => this.#idOf(limit, name))
    const before = listOf(linked)
    const added = wanted.filter((one) => !before.includes(one))
    const removed = before.filter((one) => !wanted.includes(one))
    const link = () => this.#links(id, limit, 'link', added)
    const unlink = () => this.#links(id, limit, 'unlink', removed)
    const steps = before.length + added.length > LINKS_MAX ? [unlink, link] : [link, unlink]
    for (const step of steps) await step()
  }

  async #links(id: string, limit: Limit, verb: 'link' | 'unlink', ids: readonly string[]) {
    if (ids.length === 0) return
    const product = `/${KINDS.card_products.path}/${id}`
    await this.#post(`${product}/${KINDS[limit].path}:${verb}`, { ids }, async () => {
      const found = await this.#found(product)
      const linked = listOf(found?.[LIMIT_IDS[limit]])
      return ids.every((one) => linked.includes(one) === (verb === 'link'))
    })
  }

  /**
   * The key is derived from the content, so that a request whose answer was lost has its effect
   * once, and two that apply one file at one time make each thing once, with any keys of the API.
   * If an earlier answer is replayed that is an error, or whose effect was taken back since, the
   * next key is used (D-834).
   */
  async #post(
    path: string,
    body: Members,
    isInEffect: (body: Members) => Promise<boolean>,
  ): Promise<Members> {
    const sent = this.#secrets.resolve(body)
    for (let number = 1; number <= REPLAYS_MAX; number += 1) {
      const content = JSON.stringify([path, sent, number])
      // A reader without the secret of the body must not be able to try guesses at it.
      const secret = hasReference(body) ? this.#key : ''
      const key = `programme-${hmacSha256(secret, content).toString('hex')}`
      const reply = await this.#reply({ method: 'POST', path, body: sent, key })
      if (reply && (!isReplay(reply) || (await isInEffect(reply.body)))) return reply.body
    }
    throw new Fault(`POST /v1${path} was done and undone too often today: try again tomorrow`)
  }

  /** Undefined if what refused it before is answered again, which is stored for a day, too. */
  async #reply(ask: Ask) {
    try {
      return await this.#api.object(ask)
    } catch (error) {
      if (error instanceof RequestFault && error.answer && isReplay(error.answer)) return undefined
      throw error
    }
  }

  async #found(path: string): Promise<Members | undefined> {
    try {
      return await this.#api.get(path)
    } catch (error) {
      if (error instanceof RequestFault && error.status === 404) return undefined
      throw error
    }
  }
}

const isReplay = ({ headers }: Answer): boolean => headers.get('idempotent-replayed') === 'true'

const listOf = (value: Value | undefined): string[] =>
  Array.isArray(value) ? value.map((item: Value) => String(item)) : []
