/** Expectations after a step: reads what is there and finds the first difference. */

import { isDeepStrictEqual } from 'node:util'
import { formatAmount } from '#lib/money.ts'
import type { Path } from '../../kit/values.ts'
import { firstDifference, shown } from '../file/compare.ts'
import type { Expectations } from '../file/schema.ts'
import { fill, namesIn } from '../file/variables.ts'
import type { Body } from '../platform/calls.ts'
import type { Tenant } from '../platform/tenant.ts'
import type { Exchange } from '../wire/messages.ts'
import type { Done, State } from './state.ts'
import { StepFault } from './step_fault.ts'

type Before = { entry_id?: string | undefined; events?: string | undefined }
type Members = Record<string, unknown>
type Entry = { id: string }

/**
 * Events are numbered and listed after the commit that made them: this is the longest wait for
 * them.
 */
const EVENTS_WAIT_S = 10
const PAGE = 200

/** The ends of the feed and of the statement before the step, for expectations on them. */
export async function lookBefore(expect: Expectations | undefined, state: State): Promise<Before> {
  const before: Before = {}
  if (expect?.entries) {
    const id = accountBefore(expect, state)
    const entries = typeof id === 'string' ? await entriesOf(state.tenant, id) : []
    before.entry_id = entries.at(-1)?.id
  }
  if (expect?.events) before.events = await endOfFeed(state.tenant)
  return before
}

/** Throws StepFault with the path of the member, below `expect`. */
export async function assertHolds(
  expect: Expectations,
  state: State,
  done: Done,
  before: Before,
): Promise<void> {
  const account = once(() => accountIn(state, expect))
  const transaction = once(() => transactionIn(state, done, expect))
  const actuals: { [Member in keyof Expectations]?: () => Promise<unknown> } = {
    body: async () => done.body,
    response_code: async () => answerOf(done).fields[39],
    amount: async () => amountOf(done),
    fields: async () => answerOf(done).fields,
    same_answer: async () => isSame(done),
    status_code: async () => statusCodeOf(await transaction()),
    transaction: transaction,
    balance: async () => (await account()).balance,
    available: async () => (await account()).available_balance,
    held: async () => (await account()).held_amount,
    entries: () => entriesSince(state, expect, before),
  }
  for (const [member, expected] of Object.entries(expect)) {
    if (member === 'events') await assertEvents(expect.events ?? [], state.tenant, before)
    const actual = actuals[member as keyof Expectations]
    if (actual) compare(member, amounts.has(member) ? numberOf(expected) : expected, await actual())
  }
}

/** Undefined if the step itself sets the variable that names the account. */
function accountBefore({ account }: Expectations, { variables }: State): unknown {
  if (account === undefined) return variables.get('account_id')
  return namesIn(account).every((name) => variables.has(name))
    ? fill(account, variables)
    : undefined
}

const amounts = new Set(['amount', 'balance', 'available', 'held'])

/** An amount may be written as text, such as "10.50"; other text, as none at all, is no amount. */
const numberOf = (value: unknown) =>
  typeof value === 'string' && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value

function compare(member: string, expected: unknown, actual: unknown): void {
  const difference = firstDifference(expected, actual)
  if (!difference) return
  const path = [member, ...difference.path]
  const { expected: wanted, actual: found } = difference
  throw new StepFault(['expect', ...path], `${nameOf(path)}: expected ${wanted}, was ${found}`)
}

const nameOf = (path: Path): string =>
  path
    .map((member, at) =>
      typeof member === 'number' ? `[${member}]` : (at > 0 ? '.' : '') + member,
    )
    .join('')

function answerOf({ answer }: Done): Exchange['message'] {
  if (answer) return answer
  throw new StepFault(['expect'], 'the message has no answer: the line lost or delayed it')
}

function amountOf(done: Done): number | undefined {
  const { 4: minor } = answerOf(done).fields
  const currency = done.exchange?.currency ?? ''
  return minor === undefined ? undefined : formatAmount(BigInt(minor), currency)
}

/** Compares all fields: one that only the second answer has is a difference, too. */
function isSame(done: Done): boolean {
  return isDeepStrictEqual(done.first?.fields, answerOf(done).fields)
}

async function accountIn(state: State, expect: Expectations): Promise<Body> {
  return state.tenant.made('GET', `/accounts/${accountOf(expect, state)}`)
}

function accountOf(expect: Expectations, { variables }: State): string {
  const id = expect.account ?? variables.get('account_id')
  if (typeof id === 'string') return id
  throw new StepFault(['expect'], 'no account: add a cardholder before, or name an account')
}

/**
 * The transaction of a message, by its retrieval reference number; undefined if it has made none.
 */
async function transactionIn(state: State, done: Done, { of }: Expectations): Promise<Body> {
  const exchange = of === undefined ? done.exchange : state.messages.get(of)
  if (!exchange) throw new StepFault(['expect'], 'of is missing: this step sends no message')
  const { 37: rrn = '', 11: stan } = exchange.message.fields
  const path = `/transactions?rrn=${encodeURIComponent(rrn)}`
  const { data } = await state.tenant.made('GET', path)
  // A message about an earlier one has changed the first of them, unless it made one of its own.
  return data.find((one: Body) => one.stan === stan) ?? data.at(-1)
}

const statusCodeOf = (transaction: Body): unknown =>
  transaction?.events.at(-1)?.status_code ?? transaction?.status_code

async function entriesOf(tenant: Tenant, account_id: string): Promise<Entry[]> {
  const path = `/accounts/${account_id}/transactions?limit=${PAGE}`
  const { data } = await tenant.made('GET', path)
  return data.reverse()
}

async function entriesSince(state: State, expect: Expectations, before: Before): Promise<Entry[]> {
  const entries = await entriesOf(state.tenant, accountOf(expect, state))
  return entries.slice(entries.findIndex(({ id }) => id === before.entry_id) + 1)
}

type Feed = { data: Members[]; after?: string; has_more: boolean }

async function endOfFeed(tenant: Tenant): Promise<string | undefined> {
  let after: string | undefined
  for (;;) {
    const page = await readFeed(tenant, after, 0)
    after = page.after ?? after
    if (!page.has_more) return after
  }
}

function readFeed(tenant: Tenant, after: string | undefined, wait: number): Promise<Feed> {
  const from = after === undefined ? '' : `&after=${after}`
  return tenant.made('GET', `/events?limit=${PAGE}&wait=${wait}${from}`)
}

/** Reads the feed until the expected events have come, in their order, or nothing more comes. */
async function assertEvents(
  expected: readonly unknown[],
  tenant: Tenant,
  before: Before,
): Promise<void> {
  const came: Members[] = []
  let [after, at] = [before.events, 0]
  while (at < expected.length) {
    const page = await readFeed(tenant, after, EVENTS_WAIT_S)
    if (page.data.length === 0) {
      const path = ['expect', 'events', at]
      throw new StepFault(path, missingEvent(expected[at], came))
    }
    after = page.after ?? after
    for (const event of page.data) {
      came.push(event)
      if (at < expected.length && matches(expected[at], event)) at += 1
    }
  }
}

const matches = (expected: unknown, event: Members): boolean =>
  typeof expected === 'string'
    ? event['event'] === expected
    : firstDifference(expected, event) === undefined

/** Names the difference from the last event of that kind, where there is one. */
function missingEvent(expected: unknown, came: readonly Members[]): string {
  const kind = typeof expected === 'string' ? expected : Object(expected).event
  const alike = came.findLast(({ event }) => event === kind)
  const difference = alike && firstDifference(expected, alike)
  if (difference && typeof expected === 'object') {
    const { path, expected: wanted, actual } = difference
    return `events: ${kind} has ${nameOf(path)} ${actual}, expected ${wanted}`
  }
  const kinds = came.map(({ event }) => event).join(', ')
  return `events: expected ${shown(kind)}, came ${kinds || 'nothing'}`
}

/** Reads once, when it is first needed. */
function once<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let value: Promise<Value> | undefined
  return () => {
    value ??= read()
    return value
  }
}
