/** The parts of an adapter: settings of its own, and the providers that it opens (D-379). */

import type { Static, TObject } from 'typebox'
import type { Bureau } from '#issuing/card_orders/provider.ts'
import type { Scanner } from '#issuing/identifications/provider.ts'
import type { ModuleCustody } from '#issuing/vault/provider.ts'
import type { IdentityProvider, KybProvider, KycProvider } from '#issuing/verification/provider.ts'
import { type Environment, readVariables } from '#kit/settings/read.ts'
import type { Slice } from '#kit/slice.ts'
import type { Mailer } from '#portal/mails/provider.ts'

/** The interfaces through which use cases reach the outside world, each in its slice. */
export type Interfaces = {
  custody: ModuleCustody
  identity: IdentityProvider
  kyc: KycProvider
  kyb: KybProvider
  scanner: Scanner
  mailer: Mailer
  bureau: Bureau
}
export type InterfaceName = keyof Interfaces

/** The providers that an adapter opens; `slices` are routes and pages that exist only with it. */
export type Providers = Partial<Interfaces> & { slices?: readonly Slice[] }

export type Deployment = {
  live: boolean
  /** Receives one line for each fault; none repeats a secret. */
  faults: string[]
}

export type Adapter<Variables extends TObject, Settings extends object> = {
  readonly name: string
  readonly provides: readonly InterfaceName[]
  /** Those of them that these settings choose, if not all. */
  readonly providesBy?: (settings: Settings) => readonly InterfaceName[]
  /** Its environment variables, as in src/config/variables.ts. */
  readonly variables: Variables
  /** Undefined if the environment does not choose this adapter. */
  settingsOf: (values: Static<Variables>, deployment: Deployment) => Settings | undefined
  /** Calls nothing: a document is made from an adapter that never runs. */
  open: (settings: Settings) => Providers
}

export type ConfiguredAdapter = Readonly<{
  name: string
  provides: readonly InterfaceName[]
  open: () => Providers
}>

export type RegisteredAdapter = Readonly<{
  name: string
  provides: readonly InterfaceName[]
  variables: TObject
  /** Undefined if the environment does not choose the adapter. */
  read: (env: Environment, deployment: Deployment) => ConfiguredAdapter | undefined
}>

export function register<Variables extends TObject, Settings extends object>(
  adapter: Adapter<Variables, Settings>,
): RegisteredAdapter {
  const { name, provides, variables } = adapter
  return {
    name,
    provides,
    variables,
    read(env, deployment) {
      const { values, faults } = readVariables(variables, env)
      deployment.faults.push(...faults)
      const settings = adapter.settingsOf(values, deployment)
      if (settings === undefined) return undefined
      const chosen = adapter.providesBy?.(settings) ?? provides
      return { name, provides: chosen, open: () => adapter.open(settings) }
    },
  }
}

/** The adapters that the environment chooses. Two for one interface are a fault. */
export function readAdapters(
  registry: readonly RegisteredAdapter[],
  env: Environment,
  deployment: Deployment,
): readonly ConfiguredAdapter[] {
  const configured = registry.flatMap((adapter) => adapter.read(env, deployment) ?? [])
  for (const name of new Set(configured.flatMap(({ provides }) => provides))) {
    const rivals = configured
      .filter(({ provides }) => provides.includes(name))
      .map(({ name }) => name)
    if (rivals.length > 1) {
      const both = rivals.join(' and ')
      deployment.faults.push(`${both} both provide ${name}: configure only one of them`)
    }
  }
  return Object.freeze(configured)
}

/** One provider for each interface that any adapter provides, and where none does the simulated. */
export function openProviders(
  configured: readonly ConfiguredAdapter[],
  simulated: Providers,
): Providers {
  const opened = configured.map(({ open }) => open())
  const slices = opened.flatMap(({ slices = [] }) => slices)
  return Object.assign({}, simulated, ...opened, { slices })
}
