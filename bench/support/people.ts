/** Many users of one tenant: plain rows in bulk, findable as if each had been created by itself. */

import { type RawBuilder, sql } from 'kysely'
import { termsOf } from '#issuing/users/rules/names.ts'
import type { Context } from '#kit/context.ts'
import { newId } from '#lib/id.ts'

/** Numbers of names as in a country: a few names have many bearers, and most names few. */
const FIRST_NAMES = 3_000
const LAST_NAMES = 60_000
const MIDDLE_NAME_SHARE = 0.3
const BUSINESS_SHARE = 0.02
/** The oldest users, of one import, have a name that no other user has. */
export const IMPORTED_NAME = 'Importance'
const IMPORTED_SHARE = 0.02

const APART_MS = 60_000
const PORTION = 5_000
const PORTIONS_AT_ONCE = 2
const REPORT_EVERY_MS = 2_000

export type Person = {
  id: string
  created: Date
  user_type: 'INDIVIDUAL' | 'BUSINESS'
  first_name: string | null
  middle_name: string | null
  last_name: string | null
  native_name: null
  business_legal_name: string | null
  business_dba_name: string | null
  email: string
  mobile: string
}

/** Users by their number, 0 the oldest; the same number is always the same user. */
export class Population {
  readonly #count: number
  readonly #newest: number
  constructor(count: number, now: Date) {
    this.#count = count
    this.#newest = now.getTime()
  }

  person(number: number): Person {
    const chance = chanceOf(number)
    const isBusiness = chance() < BUSINESS_SHARE
    const isImported = number < this.#count * IMPORTED_SHARE
    const first = isImported ? IMPORTED_NAME : nameOf(frequent(chance, FIRST_NAMES), 2)
    const last = nameOf(frequent(chance, LAST_NAMES), 3)
    const hasMiddleName = chance() < MIDDLE_NAME_SHARE
    const legal_name = `${last} ${nameOf(frequent(chance, LAST_NAMES), 3)} Trading LLC`
    return {
      id: newId(),
      created: new Date(this.#newest - (this.#count - number) * APART_MS),
      user_type: isBusiness ? 'BUSINESS' : 'INDIVIDUAL',
      first_name: isBusiness ? null : first,
      middle_name: isBusiness || !hasMiddleName ? null : nameOf(frequent(chance, FIRST_NAMES), 2),
      last_name: isBusiness ? null : last,
      native_name: null,
      business_legal_name: isBusiness ? legal_name : null,
      business_dba_name: isBusiness ? last : null,
      email: `${first}.${last}.${number}@example.com`.toLowerCase(),
      mobile: `+9715${String(number).padStart(8, '0')}`,
    }
  }
}

/** The names that most people bear, the commonest first. */
export const commonFirstNames = (count: number): string[] =>
  Array.from({ length: count }, (_none, rank) => nameOf(rank, 2))

/** Zipf's law: rank r is borne by a share of 1/r. */
const frequent = (chance: () => number, ranks: number) => Math.floor(ranks ** chance()) - 1

const ONSETS = ['b', 'd', 'f', 'g', 'h', 'j', 'k', 'kh', 'l', 'm', 'n', 'r', 's', 'sh', 't', 'z']
const VOWELS = ['a', 'aa', 'ai', 'e', 'i', 'o', 'ou', 'u']

/** A name by its number, of so many syllables or more; numbers near each other sound apart. */
function nameOf(number: number, syllables: number): string {
  let rest = (number * 48_271) % 2_147_483_647
  let name = ''
  for (let at = 0; at < syllables || rest > 0; at++) {
    name += `${ONSETS[rest % ONSETS.length]}${VOWELS[(rest >> 4) % VOWELS.length]}`
    rest = Math.floor(rest / (ONSETS.length * VOWELS.length))
  }
  return `${name[0]?.toUpperCase()}${name.slice(1)}`
}

/** Chances that follow from a seed alone (mulberry32). */
function chanceOf(seed: number): () => number {
  let state = Math.imul(seed + 1, 0x9e3779b1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Loads the whole population, in order of age, and reports its progress every two seconds. */
export async function loadPopulation(
  ctx: Context,
  population: Population,
  count: number,
  report: (loaded: number) => void,
): Promise<void> {
  let [begun, loaded] = [0, 0]
  const reporting = setInterval(() => report(loaded), REPORT_EVERY_MS)
  const worker = async () => {
    while (begun < count) {
      const from = begun
      begun = Math.min(count, from + PORTION)
      const numbers = Array.from({ length: begun - from }, (_none, at) => from + at)
      await insert(
        ctx,
        numbers.map((number) => population.person(number)),
      )
      loaded += numbers.length
    }
  }
  try {
    await Promise.all(Array.from({ length: PORTIONS_AT_ONCE }, worker))
  } finally {
    clearInterval(reporting)
  }
}

async function insert({ db, tenant_id }: Context, people: readonly Person[]): Promise<void> {
  const column = (name: keyof Person): RawBuilder<unknown> =>
    sql`${people.map((person) => person[name])}`
  await sql`
    insert into users (tenant_id, status, status_reason_code, id, created, modified, user_type,
      first_name, middle_name, last_name, business_legal_name, business_dba_name, email, mobile)
    select ${tenant_id}::uuid, 'ACTIVE', 'A0', id, created, created, user_type, first_name,
      middle_name, last_name, business_legal_name, business_dba_name, email, mobile
    from unnest(${column('id')}::uuid[], ${column('created')}::timestamptz[],
      ${column('user_type')}::text[], ${column('first_name')}::text[],
      ${column('middle_name')}::text[], ${column('last_name')}::text[],
      ${column('business_legal_name')}::text[], ${column('business_dba_name')}::text[],
      ${column('email')}::text[], ${column('mobile')}::text[])
      as p (id, created, user_type, first_name, middle_name, last_name, business_legal_name,
        business_dba_name, email, mobile)`.execute(db)
  const terms = people.flatMap((person) => termsOf(person).map((term) => ({ person, term })))
  await sql`
    insert into user_names (tenant_id, created, user_id, term)
    select ${tenant_id}::uuid, *
    from unnest(${terms.map(({ person }) => person.created)}::timestamptz[],
      ${terms.map(({ person }) => person.id)}::uuid[],
      ${terms.map(({ term }) => term)}::text[])`.execute(db)
}
