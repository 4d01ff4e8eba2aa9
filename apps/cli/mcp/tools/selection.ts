/** Selects the operations that are offered, and how (D-840). */

import { UsageFault } from '../../kit/faults.ts'
import { visible } from '../../kit/text.ts'
import type { Api, Operation } from '../operations/operations.ts'

export type Allowed = { write: boolean; sandbox: boolean }

/** The most usual operations, each a tool of its own. */
const USUAL: readonly string[] = [
  ...['searchObjects', 'listUsers', 'getUser', 'listCards', 'getCard', 'listCardAccounts'],
  ...['getAccount', 'listAccountEntries', 'listTransactions', 'getTransaction'],
  ...['listCardProducts', 'listEvents', 'listWebhookDeliveries', 'getSettings'],
  ...['createUser', 'createCard', 'changeCardStatus', 'loadAccountFunds', 'simulateAuthorization'],
]

/** Tools of this server beside operations, and the group that each goes with. */
export const OWN: Readonly<Record<string, string>> = {
  explain_transaction: 'Transactions',
  trigger: 'Simulation',
}

export type Selection = {
  /** Each is a tool. */
  operations: readonly Operation[]
  /** Operations that search_operations finds and call_operation calls. */
  others: readonly Operation[]
  own: readonly string[]
  /** Why an operation is no tool; undefined if there is none of that name. */
  reasonAgainst: (name: string) => string | undefined
}

/** `Card products`, `cardProducts` and `card-products` are one. */
const plain = (name: string) => name.toLowerCase().replaceAll(/[^a-z]/g, '')

/** Throws a UsageFault if `only` names what there is not. */
export function select(api: Api, only: string | undefined, allowed: Allowed): Selection {
  const possible = api.operations.filter((one) => reasonAgainst(one, allowed) === undefined)
  const reasonOf = (name: string) => {
    if (name === 'trigger') return ownReason(name, allowed)
    const found = api.operations.find(({ id }) => id === name)
    return found && reasonAgainst(found, allowed)
  }
  const chosen = only === undefined ? undefined : chosenOf(api, only, reasonOf)
  const isTool = (id: string, group: string) =>
    chosen ? chosen.has(id) || chosen.has(group) || chosen.has('all') : undefined
  const isOwn = (name: string) => {
    if (name === 'trigger' && ownReason(name, allowed) !== undefined) return false
    return isTool(name, OWN[name] ?? '') ?? true
  }
  // Decisions of the operator are for people, unless they are asked for by their name.
  const usual = possible.filter(({ isOfOperator }) => !isOfOperator)
  const operations = chosen
    ? possible.filter(({ id, group, isOfOperator }) =>
        isOfOperator ? chosen.has(id) || chosen.has(group) : isTool(id, group),
      )
    : usual.filter(({ id }) => USUAL.includes(id))
  return {
    operations,
    others: chosen ? [] : usual,
    own: Object.keys(OWN).filter(isOwn),
    reasonAgainst: (name) => {
      if (!(name in OWN) && !api.operations.some(({ id }) => id === name)) return undefined
      return reasonOf(name) ?? `${name} is none of the tools that this server was started with.`
    },
  }
}

const needsWrite = (name: string) =>
  `${name} changes something, and this server is read only: it has to be started with --write.`

const needsSandbox = (name: string) =>
  `${name} exists in a sandbox only, and this platform is live.`

function ownReason(name: string, { write, sandbox }: Allowed): string | undefined {
  if (!write) return needsWrite(name)
  return sandbox ? undefined : needsSandbox(name)
}

function reasonAgainst(one: Operation, { write, sandbox }: Allowed): string | undefined {
  const { id, withheld, isRead, isOfSandbox } = one
  if (withheld !== undefined) {
    return `${id} is not offered to agents: ${withheld}. A person may call it with bezant.`
  }
  if (!isRead && !write) return needsWrite(id)
  return isOfSandbox && !sandbox ? needsSandbox(id) : undefined
}

/** Ids of operations, names of tools and of groups. */
function chosenOf(
  { groups, operations }: Api,
  only: string,
  reasonOf: (name: string) => string | undefined,
): ReadonlySet<string> {
  const chosen = new Set<string>()
  const words = only.split(',').map((word) => word.trim())
  for (const word of words.filter((one) => one !== '')) {
    const group = groups.find(({ name }) => plain(name) === plain(word))
    const operation = operations.find(({ id }) => id === word)
    const reason = reasonOf(word)
    if (reason !== undefined) throw new UsageFault(reason)
    const found = operation?.id ?? group?.name ?? (word in OWN || word === 'all' ? word : '')
    if (found === '') {
      const names = groups.map(({ name }) => name.toLowerCase().replaceAll(' ', '-'))
      throw new UsageFault(
        `--only ${visible(word)} is no operation and no group; groups: all, ${names.join(', ')}`,
      )
    }
    chosen.add(found)
  }
  if (chosen.size === 0) throw new UsageFault('--only names no operation and no group')
  return chosen
}
