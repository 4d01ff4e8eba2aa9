/** The orders in which a set of messages may come. */

import type { Chance } from '#test/support/chances.ts'
import type { Sent } from './stories.ts'

/** So many random orders in which each message comes after those that it follows. */
export function someOrders(sent: readonly Sent[], count: number, chance: Chance): Sent[][] {
  return Array.from({ length: count }, () => anOrderOf(sent, chance))
}

function anOrderOf(sent: readonly Sent[], chance: Chance): Sent[] {
  const order: Sent[] = []
  let left = [...sent]
  while (left.length > 0) {
    const names = new Set(left.map(({ name }) => name))
    const free = left.filter(({ after }) => !after.some((name) => names.has(name)))
    const next = free[Math.floor(chance() * free.length)]
    if (!next) throw new Error('messages that follow each other in a circle')
    order.push(next)
    left = left.filter((one) => one !== next)
  }
  return order
}
