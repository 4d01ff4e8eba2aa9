/** Watchman's API on loopback: it knows a few entries, and misbehaves as a test asks. */

import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { json, type Misbehaviour } from './misbehaviours.ts'

/** An entry of a list, as an answer of Watchman has it. */
export type ListedEntry = {
  name: string
  entityType: string
  sourceList: string
  sourceID: string
  /** How alike it is to the last word of the name that is searched. */
  match: number
  person?: { birthDate?: string | null } | null
  sanctionsInfo?: { programs?: string[] | null } | null
}

export type TestWatchman = {
  /** The settings of a program that uses it. */
  env: Record<string, string>
  /** The searches that it was asked for. */
  searches: URLSearchParams[]
  /** Entries by the last word of a name, in lower case. */
  listed: Record<string, ListedEntry[]>
  /** The lists that it has loaded, with the number of their entries. */
  lists: Record<string, unknown>
  /** In place of its answer. */
  misbehaves: Misbehaviour | undefined
  close: () => Promise<void>
}

export async function openWatchman(): Promise<TestWatchman> {
  const server = createServer((request, response) => answer(watchman, request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no port')
  const watchman: TestWatchman = {
    env: { WATCHMAN_URL: `http://127.0.0.1:${address.port}` },
    searches: [],
    listed: {},
    lists: { us_ofac: 17_646, eu_csl: 4_000 },
    misbehaves: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return watchman
}

function answer(watchman: TestWatchman, request: IncomingMessage, response: ServerResponse): void {
  response.on('error', () => {})
  const { pathname, searchParams } = new URL(request.url ?? '', 'http://watchman')
  const isSearch = pathname === '/v2/search'
  if (isSearch) watchman.searches.push(searchParams)
  const healthy = () =>
    isSearch ? { entities: found(watchman, searchParams) } : { lists: watchman.lists }
  const code = isSearch || pathname === '/v2/listinfo' ? 200 : 404
  if (watchman.misbehaves) watchman.misbehaves(response, healthy)
  else response.writeHead(code, json).end(JSON.stringify(healthy()))
}

/** Null without a hit, as the service has it. */
function found({ listed }: TestWatchman, search: URLSearchParams): ListedEntry[] | null {
  const word = search.get('name')?.split(' ').at(-1)?.toLowerCase() ?? ''
  const least = Number(search.get('minMatch') ?? 0)
  const [type, source] = [search.get('type'), search.get('source')]
  const hits = (listed[word] ?? []).filter(
    (entry) =>
      entry.entityType === type &&
      entry.match >= least &&
      (source === null || entry.sourceList === source),
  )
  return hits.length > 0 ? hits : null
}

export const listedPerson: ListedEntry = {
  name: 'Ann LISTED',
  entityType: 'person',
  sourceList: 'us_ofac',
  sourceID: '22790',
  match: 0.9444,
  person: { birthDate: '1962-11-23T00:00:00Z' },
  sanctionsInfo: { programs: ['SDGT', 'IRGC'] },
}
export const listedCompany: ListedEntry = {
  name: 'LISTED HOLDING',
  entityType: 'business',
  sourceList: 'eu_csl',
  sourceID: 'EU.42',
  match: 1.0000000002,
  person: null,
}
