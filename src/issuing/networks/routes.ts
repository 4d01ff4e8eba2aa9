import type { Context } from '#kit/context.ts'
import { type Route, route } from '#kit/http/route.ts'
import { askForKey, type KnownNetwork } from './asking.ts'
import { Exchange, ExchangeKeys, type Network, NetworkPath, Networks } from './schema.ts'
import { listExchanges, listKeyRows } from './store.ts'

/** `known` is called when it is needed. */
export const networkRoutes = (known: () => readonly KnownNetwork[]): readonly Route[] => [
  route({
    id: 'listNetworks',
    tag: 'Operator',
    description:
      'Lists the card networks of NETWORKS_FILE with the keys that are honoured now, by their ' +
      'check values, and the last requests for keys.',
    method: 'GET',
    path: '/operator/networks',
    permission: 'operator',
    summary: 'List card networks',
    answer: Networks,
    run: async (ctx) => ({ data: await Promise.all(known().map((one) => show(ctx, one))) }),
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

async function show({ db }: Context, network: KnownNetwork): Promise<Network> {
  const { name, role, addresses, dialect, mac } = network
  const [keys, exchanges] = await Promise.all([listKeyRows(db, name), listExchanges(db, name)])
  return {
    name,
    role,
    addresses: addresses.map(({ host, port }) => `${host}:${port}`),
    dialect,
    mac_required: mac?.required === true,
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
  }
}
