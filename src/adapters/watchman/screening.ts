/**
 * Watchman behind the interfaces of KYC and KYB, by its HTTP API from v0.50 on (`/v2/search`,
 * `/v2/listinfo`). It answers at once. Anything else is a ProviderFailure: an outage and a list
 * that is not loaded never look like a clear search.
 */

import {
  type CompanyData,
  type KybProvider,
  type KycProvider,
  type Match,
  type PersonData,
  ProviderFailure,
} from '#issuing/verification/provider.ts'
import { boundedText } from '#kit/net/bounded_text.ts'
import { distinct } from '../matches.ts'
import { areLists, ENTRIES_MAX, isFound } from './answers.ts'
import { matchesIn, type Search, searchesOf } from './rules.ts'
import type { WatchmanSettings } from './settings.ts'

/** The time for all searches of one check, of which a business has many. */
const CHECK_MS = 25_000
const ANSWER_BYTES_MAX = 2 * 1024 * 1024
/** Searches of one check that run at a time. */
const AT_A_TIME = 4

type Subject = PersonData | CompanyData

export function watchmanScreeners(
  settings: WatchmanSettings,
  patience_ms = CHECK_MS,
): { kyc: KycProvider; kyb: KybProvider } {
  const about = { name: 'watchman', outside: true }
  const screen = (subjects: readonly Subject[]) =>
    search(settings, subjects, AbortSignal.timeout(patience_ms))
  return {
    kyc: {
      ...about,
      async decide(_ctx, { person }) {
        const matches = await screen([person])
        // A person without a name was not searched for.
        const isClear = matches.length === 0 && searchesOf(person).length > 0
        return { result: isClear ? settings.clear : 'COMPLIANCE', matches }
      },
    },
    kyb: {
      ...about,
      async check(_ctx, { business }) {
        const { directors, signatories, shareholders } = business
        const subjects = [business, ...directors, ...signatories, ...shareholders]
        return { result: 'DONE', matches: await screen(subjects) }
      },
    },
  }
}

async function search(
  settings: WatchmanSettings,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<Match[]> {
  await assertLoaded(settings, signal)
  const searches = subjects.flatMap((subject) =>
    searchesOf(subject).flatMap((search) =>
      (settings.lists ?? [undefined]).map((source) => ({ subject, search, source })),
    ),
  )
  const found: Match[] = []
  const work = searches.values()
  const run = async () => {
    for (const { subject, search, source } of work) {
      const entries = await find(settings, { ...search, ...(source && { source }) }, signal)
      found.push(...matchesIn(entries, { subject, name: search['name'] ?? '' }, settings))
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, run))
  return distinct(found)
}

/** A list that Watchman has not loaded would be searched without a hit. */
async function assertLoaded(settings: WatchmanSettings, signal: AbortSignal): Promise<void> {
  const answer = await call(settings, '/v2/listinfo', signal)
  if (!areLists(answer)) throw unexpected()
  const { lists } = answer
  const loaded = Object.keys(lists).filter((name) => (lists[name] ?? 0) > 0)
  const missing = settings.lists?.filter((name) => !loaded.includes(name)) ?? []
  if (missing.length > 0) {
    throw new ProviderFailure(`Watchman has not loaded: ${missing.join(', ')}`)
  }
  if (loaded.length === 0) throw new ProviderFailure('Watchman has loaded no list')
}

async function find(settings: WatchmanSettings, search: Search, signal: AbortSignal) {
  const query = new URLSearchParams({
    ...search,
    minMatch: String(settings.least),
    limit: String(ENTRIES_MAX),
  })
  const answer = await call(settings, `/v2/search?${query}`, signal)
  if (!isFound(answer)) throw unexpected()
  return answer.entities ?? []
}

const unexpected = () => new ProviderFailure('Watchman answered something else than a search')

/** Errors of fetch name the address, and with it the person: they end here. */
async function call({ url }: WatchmanSettings, path: string, signal: AbortSignal) {
  const { status, text } = await send(`${url}${path}`, signal)
  if (status !== 200) throw new ProviderFailure(`Watchman answered ${status}`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw unexpected()
  }
}

async function send(address: string, signal: AbortSignal) {
  try {
    const headers = { accept: 'application/json' }
    // A redirect would send a name to a host that is not configured.
    const answer = await fetch(address, { headers, redirect: 'error', signal })
    return { status: answer.status, text: await boundedText(answer, ANSWER_BYTES_MAX) }
  } catch {
    const why = signal.aborted ? 'did not answer in time' : 'did not answer'
    throw new ProviderFailure(`Watchman ${why}`)
  }
}
