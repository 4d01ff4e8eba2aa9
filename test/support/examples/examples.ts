/**
 * docs/openapi/examples.json, made by walking one story: a bank opens, a user gets cards, pays and
 * is refunded, a shop sells. Every example was sent and received (D-381).
 */

import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Db } from '#kit/db/database.ts'
import type { Examples } from '#kit/http/openapi/examples.ts'
import { kinds } from '#test/support/contract/event_kinds.ts'
import { listenForCards } from '#test/support/network/purchases.ts'
import {
  openReceiver,
  type Received,
  type Receiver,
  until,
} from '#test/support/services/receiver.ts'
import { openWorld, type World } from '#test/support/world.ts'
import { deliverCards, issueCards, issueInBulk, tokenizeCard } from './cards.ts'
import { confirm } from './challenges.ts'
import { beginAt } from './dates.ts'
import { dispute } from './disputes.ts'
import { causeFurtherEvents } from './events.ts'
import { watchHealth } from './health.ts'
import { backtestControls, limitSpending } from './limits.ts'
import { limitPlaces } from './lists.ts'
import { clearFile, openMerchant, payOut, reconcileDay, sell } from './merchant.ts'
import { closeAccount, moveMoney, payByCard } from './money.ts'
import { exchangeKeys, openTenant, setClock } from './operator.ts'
import { signUpAndIn } from './portal.ts'
import { setRates } from './rates.ts'
import { tryWebhooks } from './receivers.ts'
import { answerQuestions } from './responder.ts'
import { createStabilizer } from './stable.ts'
import { openStory, type Sending, type Story } from './story.ts'
import { liveUsers } from './users.ts'
import { deliver, subscribe, subscribeTo } from './webhooks.ts'

export const EXAMPLES_PATH = 'docs/openapi/examples.json'

/** Events as the feed returns them, with those of every kind. */
export type Event = { id: string; event: string; object?: string }

/** `events` are those of the feed, `received` what a subscription to every kind received. */
export type Walked = {
  text: string
  events: readonly Event[]
  received: readonly Pick<Received, 'headers' | 'body'>[]
}

/**
 * Needs the server of the tests (test/support/processes/server.ts). `text` is the content of the
 * file.
 * `sendingIn` may send the requests of the story in its own way.
 */
export async function walkExamples(
  sendingIn: (world: World) => Sending | undefined = () => undefined,
): Promise<Walked> {
  await using world = await openWorld()
  const port = await listenForCards(world)
  const receiver = await openReceiver()
  try {
    const story = openStory(world, sendingIn(world))
    const beginning = beginAt(new Date())
    const tenant_id = await walk(story, beginning.story, receiver)
    // One story in fifty has two numbers alike, which nothing in a masked number tells apart.
    if (await hasNumbersAlike(world.db)) return await walkExamples(sendingIn)
    const events = await allEvents(world.db, story, tenant_id)
    await receiveAll(story, events, receiver)
    const stable = createStabilizer(beginning)
    const examples = stable({ operations: story.recorded, events: firstOfEach(events) })
    return { text: `${JSON.stringify(examples, null, 2)}\n`, events, received: receiver.received }
  } finally {
    await receiver.close()
    await port.close()
  }
}

/** Whether two cards or tokens have the same last four digits, by which stable.ts names them. */
async function hasNumbersAlike(db: Db): Promise<boolean> {
  const tokens = db.selectFrom('tokens').select('last_four')
  const all = await db.selectFrom('cards').select('last_four').unionAll(tokens).execute()
  return new Set(all.map(({ last_four }) => last_four)).size < all.length
}

export const parseExamples = (text: string): Examples => JSON.parse(text)

/** Returns the id of the tenant of the story. */
export async function walk(story: Story, now: Date, { url }: Receiver): Promise<string> {
  await signUpAndIn(story)
  const tenant = await openTenant(story)
  await watchHealth(story)
  await setClock(story, now)
  const webhook = await subscribe(story)
  await subscribeTo(story, kinds, url)
  const user = await liveUsers(story, now)
  const cards = await issueCards(story, tenant, user)
  await setRates(story, tenant.id)
  await limitPlaces(story, cards)
  await moveMoney(story, cards)
  await limitSpending(story, user, cards)
  await payByCard(story, cards)
  await dispute(story, tenant.id, cards)
  await confirm(story, tenant.id, cards)
  await answerQuestions(story, cards)
  await tryWebhooks(story)
  await backtestControls(story, tenant.id, cards)
  await tokenizeCard(story, cards)
  await deliverCards(story, tenant, user, cards)
  await issueInBulk(story, user, cards)
  const merchant = await openMerchant(story, tenant.id)
  await sell(story, merchant, cards, now)
  await reconcileDay(story, tenant.id, now)
  await clearFile(story, tenant.id)
  await exchangeKeys(story)
  await payOut(story, tenant.id)
  await merchant.revoke()
  await causeFurtherEvents(story, cards)
  await closeAccount(story, cards)
  await deliver(story, webhook, now)
  // A day before its deadline the last order is reported; then it expires, as the last hold does.
  // The deadline of the last dispute is near three weeks later.
  for (const advance of ['P4D', 'P1DT1H', 'P21D']) {
    await story.prepare('moveClock', { body: { advance } })
    await story.runDueJobs()
  }
  return tenant.id
}

/** Delivers each event that the feed has, at the end of the story; a PING has another way. */
async function receiveAll(
  { world }: Story,
  events: readonly Event[],
  { received }: Receiver,
): Promise<void> {
  const expected = events.filter(({ event }) => event !== 'PING')
  world.sweeper.start()
  await until('every event is received', () => {
    const ids = new Set(received.map(({ body }) => body.id))
    return expected.every(({ id }) => ids.has(id))
  })
}

/** The feed returns the latest events once no older transaction of the server runs. */
async function allEvents(db: Db, story: Story, tenant_id: string): Promise<Event[]> {
  const { rows } = await sql<{ count: bigint }>`
    select sum(coalesce(cardinality(object_ids), 1)) as count from events
    where tenant_id = ${tenant_id}`.execute(db)
  let events: Event[] = []
  await until('the feed has every event', async () => {
    events = await eventsOf(story)
    return BigInt(events.length) === rows[0]?.count
  })
  return events
}

const FEED_PAGE = 100

async function eventsOf({ prepare }: Story): Promise<Event[]> {
  const events: Event[] = []
  for (let query: Record<string, string | number> = { limit: FEED_PAGE }; ; ) {
    const { data, after, has_more } = await prepare('listEvents', { query })
    events.push(...data)
    if (!has_more) return events
    query = { limit: FEED_PAGE, after }
  }
}

/** A card rather than its account, which is created in the same transaction. */
function firstOfEach(events: readonly Event[]): Record<string, Event> {
  const shown = events.filter(({ object }) => object !== 'account')
  const names = [...new Set(shown.map(({ event }) => event))]
  return Object.fromEntries(
    names.sort().map((name) => {
      const first = shown.find(({ event }) => event === name)
      assert.ok(first)
      return [name, first]
    }),
  )
}
