/** What an adapter is: settings of its own, and the providers that it opens (D-379). */

import type { Scanner } from '#issuing/identifications/provider.ts'
import type { IdentityProvider, KycProvider } from '#issuing/verification/provider.ts'
import type { Slice } from '#kit/slice.ts'

/** The interfaces through which use cases reach the outside world, each in its slice. */
export type Interfaces = {
  identity: IdentityProvider
  kyc: KycProvider
  scanner: Scanner
}
export type InterfaceName = keyof Interfaces

/** What an adapter opens; `slices` are routes and pages that exist only with it. */
export type Providers = Partial<Interfaces> & { slices?: readonly Slice[] }

export type AdapterEnv = {
  /** An empty variable counts as absent. */
  variable: (name: string) => string | undefined
  /** Receives one line for each fault; none repeats a secret. */
  faults: string[]
  live: boolean
}

export type Adapter<Settings extends object> = {
  readonly name: string
  readonly provides: readonly InterfaceName[]
  /** Yields to every other adapter of the same interface. */
  readonly simulated?: true
  /** Undefined where the environment does not choose this adapter. */
  readSettings: (env: AdapterEnv) => Settings | undefined
  /** Variables and their values for the log, secrets as stars. */
  describeSettings: (settings: Settings | undefined) => [name: string, value: string][]
  /** Calls nothing: a document is made from an adapter that never runs. */
  open: (settings: Settings) => Providers
}

export type ConfiguredAdapter = Pick<Adapter<object>, 'name' | 'provides' | 'simulated'> & {
  readonly open: () => Providers
}
export type AdaptersConfig = Readonly<{
  configured: readonly ConfiguredAdapter[]
  description: readonly [name: string, value: string][]
}>

export type RegisteredAdapter = {
  readonly name: string
  readonly provides: readonly InterfaceName[]
  /** `configured` is absent where the environment does not choose the adapter. */
  read: (env: AdapterEnv) => {
    configured?: ConfiguredAdapter
    description: [name: string, value: string][]
  }
}

export function register<Settings extends object>(adapter: Adapter<Settings>): RegisteredAdapter {
  const { name, provides, simulated } = adapter
  const known = { name, provides, ...(simulated && { simulated }) }
  return {
    name,
    provides,
    read(env) {
      const settings = adapter.readSettings(env)
      const description = adapter.describeSettings(settings)
      if (settings === undefined) return { description }
      return { configured: { ...known, open: () => adapter.open(settings) }, description }
    },
  }
}

/** The adapters that the environment chooses. Two for one interface are a fault. */
export function readAdapters(
  registry: readonly RegisteredAdapter[],
  env: AdapterEnv,
): AdaptersConfig {
  const read = registry.map((adapter) => adapter.read(env))
  const configured = read.flatMap(({ configured = [] }) => configured)
  const real = configured.filter(({ simulated }) => !simulated)
  for (const name of new Set(real.flatMap(({ provides }) => provides))) {
    const rivals = real.filter(({ provides }) => provides.includes(name)).map(({ name }) => name)
    if (rivals.length > 1) {
      env.faults.push(`${rivals.join(' and ')} both provide ${name}: configure only one of them`)
    }
  }
  return Object.freeze({ configured, description: read.flatMap(({ description }) => description) })
}

/** One provider for each interface that any adapter provides: a simulated one only if alone. */
export function openProviders(configured: readonly ConfiguredAdapter[]): Providers {
  const simulatedFirst = configured.toSorted(
    (one, other) => Number(!one.simulated) - Number(!other.simulated),
  )
  const opened = simulatedFirst.map(({ open }) => open())
  const slices = opened.flatMap(({ slices = [] }) => slices)
  const providers: Providers = {}
  for (const one of opened) Object.assign(providers, one)
  return { ...providers, slices }
}
