import type { Context } from '#kit/context.ts'
import { type Route, route } from '#kit/http/route.ts'
import { askForKey, type KnownNetwork } from './asking.ts'
import { type LinesRow, listLines, stateOf } from './lines.ts'
import { Exchange, ExchangeKeys, type Network, NetworkPath, Networks } from './schema.ts'
import { listExchanges, listKeyRows } from './store.ts'

/** `known` is called when it is needed. */
export const networkRoutes = (known: () => readonly KnownNetwork[]): readonly Route[] => [
  route({
    id: 'listNetworks',
    tag: 'Operator',
    description:
      'Lists the card networks of NETWORKS_FILE with their connections, the keys that are ' +
      'honoured now, by their check values, and the last requests for keys.',
    method: 'GET',
    path: '/operator/networks',
    permission: 'operator',
    summary: 'List card networks',
    answer: Networks,
    run: async (ctx) => {
      const networks = known()
      // One round trip for all statements, and none where there are no networks.
      const rows = networks.length > 0 ? listLines(ctx.db) : Promise.resolve([])
      return { data: await Promise.all(networks.map((one) => show(ctx, one, rows))) }
    },
  }),
  route({
    id: 'exchangeNetworkKeys',
    tag: 'Operator',
    description:
      'Asks a card network for a new key, by a message of network management (0800). The process ' +
      'that is connected sends it; the key that comes is in use at once in all processes, and ' +
      'the one before is honoured for five minutes more.',
    method: 'POST',
    path: '/operator/networks/{name}:exchangekeys',
    permission: 'operator',
    summary: 'Ask a card network for a key',
    params: NetworkPath,
    body: ExchangeKeys,
    answer: Exchange,
    run: (ctx, { params, body }) => askForKey(ctx, known(), { ...params, ...body }),
  }),
]

async function show({ db }: Context, network: KnownNetwork, lines: Promise<LinesRow[]>) {
  const { name } = network
  const reads = [listKeyRows(db, name), listExchanges(db, name), lines] as const
  const [keys, exchanges, rows] = await Promise.all(reads)
  return {
    ...settingsOf(network),
    ...stateOf(name, rows),
    keys: keys.map(({ use, check_value, created }) => ({
      use,
      check_value,
      created,
    })),
    exchanges: exchanges.map(({ id, use, state, created }) => ({
      id,
      use,
      state,
      created,
    })),
  } satisfies Network
}

function settingsOf({ addresses, mac, zmk_file, bins, echo_s, ...network }: KnownNetwork) {
  const { name, role, dialect, header, envelope, sign_on } = network
  const { deadline_ms, codes, billing } = network
  return {
    ...{ name, role, dialect, header, envelope, sign_on, deadline_ms, codes, billing },
    addresses: addresses.map(({ host, port }) => `${host}:${port}`),
    echo_seconds: echo_s,
    ...(bins && { bins: [...bins] }),
    mac_required: mac?.required === true,
    ...(mac && { mac_algorithm: mac.method.algorithm }),
    has_keys: zmk_file !== null,
  }
}
