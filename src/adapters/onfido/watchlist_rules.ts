/** Matches for a reviewer, as a watchlist report has them. Pure. */

import { hash } from 'node:crypto'
import type { Match, PersonData } from '#issuing/verification/provider.ts'
import { distinct, line } from '../matches.ts'

/** The members that are read; the records of the variants differ, and none is sure to have any. */
export type WatchlistReport = {
  name: string
  result?: string
  breakdown?: object
  properties?: object
}

/** Onfido reports no likeness: each record is one that it counts as a match. */
const SCORE = 100
/** More of a record than a reviewer can use. */
const RECORDS_MAX = 50

type Names = Pick<PersonData, 'first_name' | 'middle_name' | 'last_name'>
export const fullName = ({ first_name, middle_name, last_name }: Names): string =>
  [first_name, middle_name, last_name].filter((part) => part?.trim()).join(' ')

/** The matches of a report that is not clear: at least one, also where it has no records. */
export function matchesIn(report: WatchlistReport, person: PersonData): Match[] {
  const kinds = kindsOf(report)
  const found: unknown = Object(report.properties).records
  const records = Array.isArray(found) ? found.slice(0, RECORDS_MAX) : []
  const about = { subject_id: person.id, list: line(report.name), score: SCORE }
  if (records.length === 0) {
    const reason = line(`${kinds.join(', ')}; the report has no records`)
    return [{ ...about, listed_id: line(kinds.join(',')), name: line(fullName(person)), reason }]
  }
  return distinct(
    records.map((record) => ({ ...about, ...entryOf(Object(record), kinds, person) })),
  )
}

/** The parts of the report that are not clear, as `sanction`. */
const kindsOf = ({ breakdown }: WatchlistReport): string[] =>
  Object.entries(breakdown ?? {})
    .filter(([, part]) => Object(part).result !== 'clear')
    .map(([kind]) => kind)

type Listed = { readonly [member: string]: unknown }

function entryOf(record: Listed, kinds: readonly string[], person: PersonData) {
  const name = words(record['full_name']) || words(record['name']) || fullName(person)
  const born = words(record['date_of_birth']) || words(record['entity_fields_dob'])
  const sources = namesIn(record['source'], 'source_name') || words(record['sources'])
  const reason = [
    words(record['types']) || kinds.join(', '),
    ...partOf('by', words(record['match_types'])),
    ...partOf('born', born),
    ...partOf('also', namesIn(record['alias'], 'alias_name')),
    ...partOf('of', words(record['entity_fields_countries'])),
    ...partOf('events', namesIn(record['event'], 'category')),
    ...partOf('as', words(record['position'])),
    ...partOf('from', sources),
  ].join('; ')
  const own = words(record['id']) || hash('sha256', JSON.stringify([name, born, sources]))
  return { listed_id: line(own.slice(0, 64)), name: line(name), reason: line(reason) }
}

const partOf = (word: string, text: string) => (text === '' ? [] : [`${word} ${text}`])

/** A text, or the texts of a list. */
function words(value: unknown): string {
  const texts = (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'string')
  return texts.join(', ')
}

const namesIn = (list: unknown, member: string): string =>
  Array.isArray(list) ? words(list.map((one) => Object(one)[member])) : ''
