import type { Config } from '#src/config/config.ts'
import type { Mode } from './mode.ts'

/** The parts of a mode are loaded with it: a live deployment loads no simulation. */
export async function loadMode(name: Config['mode']): Promise<Mode> {
  return name === 'live' ? (await import('./live.ts')).live : (await import('./sandbox.ts')).sandbox
}
