/** The code of a thread in tests: an inspection that ends only for a file of three bytes. */

import { once } from 'node:events'
import type { Task } from '#issuing/identifications/inspection/thread.ts'

export async function inspectForever({ size, port }: Task): Promise<{ end: number }> {
  const answer = once(port, 'message')
  port.postMessage({ start: 0, end: size })
  await answer
  for (; size !== 3; );
  port.close()
  return { end: size }
}

export async function inspectInTooMuchMemory({ size, port }: Task): Promise<{ end: number }> {
  const held: object[] = []
  for (; size !== 3; ) held.push({ more: held.length })
  port.close()
  return { end: size }
}
