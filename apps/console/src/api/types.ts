/** The objects of the APIs, from the types that the build makes of docs/openapi. */

import type { components as Issuing } from './schema/issuing'
import type { components as Portal } from './schema/portal'

export type Transaction = Issuing['schemas']['Transaction']
export type Decision = Issuing['schemas']['SimulatedDecision']
export type Trace = Issuing['schemas']['TransactionTrace']
export type Check = Trace['checks'][number]
export type User = Issuing['schemas']['User']
export type Card = Issuing['schemas']['Card']
export type Account = Issuing['schemas']['Account']
export type AccountEntry = Issuing['schemas']['AccountEntry']
export type CardProduct = Issuing['schemas']['CardProduct']
export type Session = Portal['schemas']['PresentSession']
export type Registered = Portal['schemas']['Registered']

/** A page of a list (D-4). */
export type ListPage<Item> = { data: Item[]; after?: string; has_more: boolean }
