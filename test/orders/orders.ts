/** The orders in which a set of messages may come. */

import type { Chance } from '#test/support/chances.ts'
import type { Sent } from './stories.ts'

/** Every order in which what a message follows comes before it, where that is in the set. */
export function* ordersOf(sent: readonly Sent[], before: readonly Sent[] = []): Generator<Sent[]> {
  if (sent.length === 0) yield [...before]
  const left = new Set(sent.map(({ name }) => name))
  for (const one of sent) {
    if (one.after.some((name) => left.has(name))) continue
    yield* ordersOf(
      sent.filter((other) => other !== one),
      [...before, one],
    )
  }
}

/** So many of them by chance; some may be the same. */
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
