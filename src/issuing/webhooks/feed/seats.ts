/**
 * A bound on the calls that wait at one time in this process: in all, of a tenant, of an API key.
 */

import type { Context } from '#kit/context.ts'
import { ApiError } from '#lib/result.ts'

export type SeatLimits = { of_all: number; of_tenant: number; of_key: number }

/** `take` fails with `polls_exceeded` if no seat is left. Giving one back twice does nothing. */
export type Seats = { take: (ctx: Pick<Context, 'tenant_id' | 'actor'>) => Disposable }

export function createSeats({ of_all, of_tenant, of_key }: SeatLimits): Seats {
  const taken = new Map<string, number>()
  const add = (name: string, by: number) => {
    const left = (taken.get(name) ?? 0) + by
    if (left > 0) taken.set(name, left)
    else taken.delete(name)
  }
  return {
    take({ tenant_id, actor }) {
      const limits: [name: string, most: number, of: string][] = [
        ['', of_all, 'this process'],
        [`tenant ${tenant_id}`, of_tenant, 'this tenant'],
        [`key ${tenant_id} ${actor.id}`, of_key, 'this API key'],
      ]
      for (const [name, most, of] of limits) {
        if ((taken.get(name) ?? 0) < most) continue
        throw new ApiError('polls_exceeded', {
          detail: `${most} calls of ${of} are waiting already.`,
        })
      }
      for (const [name] of limits) add(name, 1)
      let isTaken = true
      return {
        [Symbol.dispose]() {
          if (isTaken) for (const [name] of limits) add(name, -1)
          isTaken = false
        },
      }
    },
  }
}
