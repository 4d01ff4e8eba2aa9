/** The settings of the program by name, as the files of deploy may name them. */

import type { TSchema } from 'typebox'
import { registry } from '#adapters/registry.ts'
import { Variables } from '#src/config/variables.ts'

/** Members that src/config/variables.ts writes beside a shape, as far as they matter here. */
type Schema = TSchema & { inFile?: true; default?: unknown }

const variables: readonly (readonly [name: string, schema: Schema])[] = [
  Variables,
  ...registry.map((adapter) => adapter.variables),
].flatMap(({ properties }) => Object.entries(properties))

/** Settings that hold a secret, and so may be in a file. */
export const secretSettings: ReadonlySet<string> = new Set(
  variables.filter(([, schema]) => schema.inFile).map(([name]) => name),
)

export const settings: ReadonlySet<string> = new Set([
  ...variables.map(([name]) => name),
  ...[...secretSettings].map((name) => `${name}_FILE`),
])

/**
 * Whether the setting is one that no file may contain: a setting of the program as declared, others
 * by their names.
 */
export const isSecretName = (name: string): boolean =>
  settings.has(name)
    ? secretSettings.has(name)
    : /KEY|TOKEN|PASSWORD|SECRET/.test(name) && !name.endsWith('_FILE')

/** The ports that a process opens without settings. */
export const usualPorts: readonly string[] = ['PORT', 'NETWORK_PORT'].map((name) =>
  String(variables.find(([each]) => each === name)?.[1].default),
)
