/** The searches for a person or a company, and the matches in their answers. */

import type { CompanyData, Match, PersonData } from '#issuing/verification/provider.ts'
import { toAlpha2 } from '#lib/country.ts'
import { line } from '../matches.ts'
import type { Entry } from './answers.ts'

export type Search = Readonly<Record<string, string>>

/**
 * One search for each name and type; none where no name is known. Numbers of documents are searched
 * beside, not instead: another number of the same kind makes an entry less alike, and a listed
 * person may have a new passport.
 */
export function searchesOf(subject: PersonData | CompanyData): Search[] {
  const types = isCompany(subject) ? ['business', 'organization'] : ['person']
  const facts = isCompany(subject) ? factsOfCompany(subject) : factsOfPerson(subject)
  const numbers = isCompany(subject) ? numbersOfCompany(subject) : numbersOfPerson(subject)
  const known = Object.keys(numbers).length > 0 ? [facts, { ...facts, ...numbers }] : [facts]
  return namesOf(subject).flatMap((name) =>
    types.flatMap((type) => known.map((more) => ({ name, type, ...more }))),
  )
}

const isCompany = (of: PersonData | CompanyData): of is CompanyData =>
  of.user_type === 'BUSINESS' || of.user_type === 'SHAREHOLDER_BUSINESS'

function namesOf(subject: PersonData | CompanyData): string[] {
  const { native_name } = subject
  const names = isCompany(subject)
    ? [subject.business_legal_name, subject.business_dba_name, subject.old_entity_name]
    : [fullName(subject), fullName({ ...subject, middle_name: null })]
  const written = [...names, native_name].map((name) => (name ?? '').trim())
  return [...new Set(written.filter((name) => name !== ''))]
}

type Names = Pick<PersonData, 'first_name' | 'middle_name' | 'last_name'>
const fullName = ({ first_name, middle_name, last_name }: Names) =>
  [first_name, middle_name, last_name].filter((part) => part?.trim()).join(' ')

const factsOfPerson = ({ date_of_birth, gender }: PersonData): Search => ({
  ...(date_of_birth !== null && { birthDate: date_of_birth }),
  ...(gender !== null && { gender: gender.toLowerCase() }),
})

const factsOfCompany = ({ date_established }: CompanyData): Search => ({
  ...(date_established !== null && { created: date_established }),
})

/** Numbers of documents go with the country that they are of; one without it is left out. */
function numbersOfPerson({ nationality, documents }: PersonData): Search {
  const numberOf = (type: string) => documents.find((one) => one.type === type)?.number
  const country = toAlpha2(nationality ?? '')
  const [passport, card] = [numberOf('PASSPORT'), numberOf('NATIONAL_ID')]
  return {
    ...(country && passport && { gov_passport: `${country}:${passport}` }),
    ...(country && card && { gov_national: `${country}:${card}` }),
  }
}

function numbersOfCompany({ tin, tax_residence_country }: CompanyData): Search {
  const country = toAlpha2(tax_residence_country ?? '')
  return country && tin ? { gov_tax: `${country}:${tin}` } : {}
}

/** The entries that are alike enough, of the lists that count. */
export function matchesIn(
  entries: readonly Entry[],
  { subject, name }: { subject: PersonData | CompanyData; name: string },
  { least, lists }: { least: number; lists: readonly string[] | null },
): Match[] {
  const counts = ({ sourceList, match }: Entry) =>
    match >= least && (lists?.includes(sourceList) ?? true)
  return entries.filter(counts).map((entry) => ({
    subject_id: subject.id,
    list: line(entry.sourceList),
    listed_id: line(entry.sourceID),
    name: line(entry.name),
    score: Math.min(100, Math.floor(entry.match * 100)),
    reason: line(reasonOf(entry, name)),
  }))
}

function reasonOf({ entityType, person, sanctionsInfo }: Entry, name: string): string {
  const born = person?.birthDate?.slice(0, 10)
  const programs = sanctionsInfo?.programs ?? []
  return [
    `found as “${name}”; the entry is a ${entityType}`,
    ...(born === undefined ? [] : [`born ${born}`]),
    ...(programs.length > 0 ? [`of ${programs.join(', ')}`] : []),
  ].join(', ')
}
