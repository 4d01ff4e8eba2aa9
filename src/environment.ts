/** Reads single variables of the environment; what is wrong becomes a line for its reader. */

/** What a host name or an address is made of. */
export const HOST = /^[\w.:-]{1,253}$/

export type Environment = Readonly<Record<string, string | undefined>>
/** `faults` gets a line for everything that cannot be. */
export type Reader = { env: Environment; faults: string[] }

/** An empty variable counts as absent. */
export function given({ env }: Reader, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** Notes a fault that repeats the value: quoted, so that it stays one line, and cut short. */
export function fault(
  reader: Reader,
  name: string,
  wanted: string,
  value: string,
  remedy: string,
): void {
  reader.faults.push(
    `${name} must be ${wanted}, not ${JSON.stringify(value.slice(0, 60))}: ${remedy}`,
  )
}

export function oneOf<Choice extends string>(
  reader: Reader,
  name: string,
  choices: readonly Choice[],
  usual: Choice,
): Choice {
  const value = given(reader, name)
  if (value === undefined) return usual
  const chosen = choices.find((choice) => choice === value)
  if (chosen !== undefined) return chosen
  const wanted = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  fault(reader, name, wanted, value, `choose one or leave it out for ${usual}`)
  return usual
}

export function text(
  reader: Reader,
  name: string,
  usual: string,
  shape: RegExp,
  wanted: string,
): string {
  const value = given(reader, name)
  if (value === undefined || shape.test(value)) return value ?? usual
  fault(reader, name, wanted, value, `change it or leave it out for ${usual}`)
  return usual
}

export function portNumber(reader: Reader, name: string, usual: number): number {
  const value = given(reader, name)
  if (value === undefined) return usual
  if (isPort(value)) return Number(value)
  const wanted = 'a whole number from 0 to 65535'
  fault(reader, name, wanted, value, `change it or leave it out for ${usual}`)
  return usual
}

export function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
}

type Bounds = { usual: number; least?: number; most: number }

/** A whole number from `least`, 1 where nothing is said, to `most`. */
export function count(reader: Reader, name: string, { usual, least = 1, most }: Bounds): number {
  const value = given(reader, name)
  if (value === undefined) return usual
  const number = /^\d{1,9}$/.test(value) ? Number(value) : 0
  if (number >= least && number <= most) return number
  const remedy = `change it or leave it out for ${usual}`
  fault(reader, name, `a whole number from ${least} to ${most}`, value, remedy)
  return usual
}

/** A listener on every address is reached by the local one. */
export function reachableHost(host: string): string {
  return host === '0.0.0.0' || host === '::' ? '127.0.0.1' : host
}
