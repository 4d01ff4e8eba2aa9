/** How much more the program keeps in memory than before, once all that is garbage is gone. */

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

export function growthOfHeap(): () => number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  const kept = () => {
    collect()
    return process.memoryUsage().heapUsed
  }
  const before = kept()
  return () => kept() - before
}
