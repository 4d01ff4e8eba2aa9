/** Faults of a run's statements on a cluster (D-688). */

import { loadModule, parseSync } from 'libpg-query'
import { EXCEPTIONS, type Exception, OF_OWNER, RARE } from './exceptions.ts'
import type { Recorded } from './folder.ts'
import { type Shape, type Spread, shapesOf } from './shapes.ts'

export type Checked = {
  text: string
  refused: number
  /** The names of the exceptions that the statements need. */
  needed: string[]
}

/** Partitions are made and dropped at the coordinator (D-685), with names of their own. */
const OF_SCHEMA = /^\s*(alter|analyze|create|drop)\b/i
/** Characters of a statement in a message. */
const SHOWN = 300

export async function checkStatements(
  recorded: readonly Recorded[],
  spread: Spread,
  exceptions: readonly Exception[] = EXCEPTIONS,
): Promise<Checked> {
  await loadModule()
  const ofRows = recorded.filter(({ text }) => !OF_SCHEMA.test(text))
  const distinct = [...new Map(ofRows.map((one) => [patternOf(one.text), one])).values()]
  const used = new Set<Exception>()
  const refused = distinct.flatMap(({ text, site, by }) =>
    shapesIn(text, spread).flatMap(([{ name, citus, use }, place]) => {
      const excepted = exceptions.filter((one) => one.shape === name && isIn(one, site))
      for (const one of excepted) used.add(one)
      if (excepted.length > 0) return []
      const what = place === '' ? name : `${name} (${place})`
      const lines = [`Citus: ${citus}`, `use: ${use}`, patternOf(text).slice(0, SHOWN)]
      return [`${site} ${by}: ${what}\n  ${lines.join('\n  ')}`]
    }),
  )
  return {
    refused: refused.length,
    needed: [...used].map(nameOf),
    text: [...refused, `${distinct.length} statements, ${refused.length} refused shapes`].join(
      '\n',
    ),
  }
}

const nameOf = ({ files, shape }: Exception): string => `${files.join(' ')}: ${shape}`

/** A line for each exception that no statement of all tests needs: it is to be removed. */
export function unneeded(
  needed: readonly string[],
  exceptions: readonly Exception[] = EXCEPTIONS,
): string[] {
  const known = new Set(needed)
  return exceptions
    .filter((one) => !known.has(nameOf(one)))
    .map((one) => `no statement needs the exception: ${nameOf(one)}`)
}

/** The shapes of a text, once `loadModule` has loaded the parser. */
export function shapesIn(text: string, spread: Spread): [Shape, string][] {
  const statements = (parseSync(text).stmts ?? []).flatMap(({ stmt }) => stmt ?? [])
  return statements.flatMap((one) => shapesOf(one, statements.length, spread))
}

/** Whether a cluster gets the statement at all. */
export const isTriedOnClusters = ({ site }: Recorded): boolean =>
  !site.startsWith(OF_OWNER) && !EXCEPTIONS.some((one) => one.isOfOneServer && isIn(one, site))

/** Whether it has a reason to ask every shard or to run in several steps. */
export const mayCost = ({ site }: Recorded): boolean =>
  [...EXCEPTIONS, ...RARE].some((one) => isIn(one, site))

const isIn = ({ files }: Pick<Exception, 'files'>, site: string): boolean =>
  files.some((file) => site.startsWith(`${file}:`))

/** Texts that differ in the number of their values or rows are one statement. */
export const patternOf = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\$\d+(, \$\d+)*/g, '$')
    .replaceAll(/(\([^()]*\))(, \1)+/g, '$1')
    .trim()
