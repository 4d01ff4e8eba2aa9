/** One user of one tenant with cards, and the operations that tests perform on them. */

import assert from 'node:assert/strict'
import { eventsOf } from '#events/outbox.ts'
import { freshBin } from './contract/belongings.ts'
import { payloadsOf, type SentEvent } from './events.ts'
import type { Answer, TestTenant, World } from './world.ts'

type State = { status: string; status_reason_code: string }

export type Cardholder = Awaited<ReturnType<typeof cardholder>>

/** The product issues virtual cards ACTIVE, physical ones INACTIVE, unless `terms` change it. */
export async function cardholder(world: World, tenant: TestTenant, terms: object = {}) {
  const ask = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.request(method, `/v1/${path}`, body, { key: tenant.api_key })
  const operate = (method: string, path: string, body?: unknown): Promise<Answer> =>
    world.request(method, `/v1/operator/${path}`, body, { key: world.operator_key })
  const made = async (path: string, sent: object) => {
    const { status, body, text } = await ask('POST', path, sent)
    assert.equal(status, 200, text)
    return body
  }
  const plain = { name: 'Travel', currency: 'AED', initial_status_of_virtual_card: 'ACTIVE' }
  const product = await made('cardproducts', { ...plain, bin: freshBin(), ...terms })
  const user = await made('users', { first_name: 'Aisha', last_name: 'Khan' })

  const card_body = { user_id: user.id, card_product_id: product.id, card_type: 'VIRTUAL' }
  const read = async (id: string) => (await ask('GET', `cards/${id}`)).body
  const put = (id: string, body: object) => ask('PUT', `cards/${id}`, body)
  const change = (id: string, status: string, status_reason_code: string) =>
    put(`${id}:statuschange`, { status, status_reason_code })
  const stateOf = ({ status, status_reason_code }: State) => `${status}/${status_reason_code}`
  const ctx = () => world.ctx(tenant.id)

  return {
    tenant,
    product,
    user,
    ask,
    operate,
    read,
    put,
    change,
    ctx,
    issue: (fields: object = {}) => made('cards', { ...card_body, ...fields }),
    simulate: (id: string, action: string, body?: object) =>
      ask('POST', `simulate/cards/${id}:${action}`, body),
    stateOf,
    /** `ACTIVE/A0`. */
    state: async (id: string) => stateOf(await read(id)),
    /** The row as it is stored. */
    row: (id: string) =>
      world.db
        .selectFrom('cards')
        .selectAll()
        .where('tenant_id', '=', tenant.id)
        .where('id', '=', id)
        .executeTakeFirstOrThrow(),
    advance: (duration: string) => ask('PUT', 'simulate/clock', { advance: duration }),
    runDueJobs: () => world.sweeper.runDueJobs(tenant.id),
    kinds: async (id: string) => eventsOf(await ctx(), id),
    /** The own members of a card's events of one kind, oldest first. */
    eventsAbout: async (id: string, event: string): Promise<SentEvent[]> =>
      (await payloadsOf(world, id))
        .filter((sent) => sent.event === event)
        .map(({ id: _id, event: _event, created: _created, ...own }) => own),
  }
}
