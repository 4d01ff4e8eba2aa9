/** Reads single variables of the environment; every fault becomes a line. */

/** The characters of a host name or an address. */
export const HOST = /^[\w.:-]{1,253}$/

export type Environment = Readonly<Record<string, string | undefined>>
/** `faults` gets a line for every invalid variable. */
export type Reader = { env: Environment; faults: string[] }

/** An empty variable counts as absent. */
export function variable({ env }: Reader, name: string): string | undefined {
  return env[name]?.trim() || undefined
}

/** Adds a fault with the value: quoted, so that it is one line, and truncated. */
export function fault(
  reader: Reader,
  name: string,
  expected: string,
  value: string,
  remedy: string,
): void {
  reader.faults.push(
    `${name} must be ${expected}, not ${JSON.stringify(value.slice(0, 60))}: ${remedy}`,
  )
}

export function oneOf<Choice extends string>(
  reader: Reader,
  name: string,
  choices: readonly Choice[],
  usual: Choice,
): Choice {
  const value = variable(reader, name)
  if (value === undefined) return usual
  const chosen = choices.find((choice) => choice === value)
  if (chosen !== undefined) return chosen
  const expected = `${choices.slice(0, -1).join(', ')} or ${choices.at(-1)}`
  fault(reader, name, expected, value, `choose one or leave it out for ${usual}`)
  return usual
}

export function text(
  reader: Reader,
  name: string,
  usual: string,
  shape: RegExp,
  expected: string,
): string {
  const value = variable(reader, name)
  if (value === undefined || shape.test(value)) return value ?? usual
  fault(reader, name, expected, value, `change it or leave it out for ${usual}`)
  return usual
}

export function portNumber(reader: Reader, name: string, usual: number): number {
  const value = variable(reader, name)
  if (value === undefined) return usual
  if (isPort(value)) return Number(value)
  const expected = 'a whole number from 0 to 65535'
  fault(reader, name, expected, value, `change it or leave it out for ${usual}`)
  return usual
}

export function isPort(value: string): boolean {
  return /^\d{1,5}$/.test(value) && Number(value) <= 65_535
}

type Bounds = { usual: number; least?: number; most: number }

/** A whole number from `least`, 1 by default, to `most`. */
export function count(reader: Reader, name: string, { usual, least = 1, most }: Bounds): number {
  const value = variable(reader, name)
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
