/**
 * The output of a successful start: the addresses and how to try them, as text or for a program.
 */

import { relative } from 'node:path'
import type { Address } from '#kit/settings/shapes.ts'
import { sandboxPath } from '#sandbox/known.ts'
import {
  browserUrl,
  type Config,
  healthUrl,
  localAddress,
  networkAddress,
} from '#src/config/config.ts'
import { VERSION } from './documents.ts'
import type { Running } from './start.ts'

/** Contains no keys: the output of a process is stored in many places. */
export function welcome(running: Running): string {
  const { config } = running
  const seconds = process.uptime().toFixed(1)
  return [
    `Bezant ${VERSION} (${config.mode}) is ready after ${seconds} s`,
    ...addresses(running),
    ...(config.mode === 'sandbox' ? trying(running) : []),
  ].join('\n')
}

/** The same without the text, for `--json` (D-867): addresses of the running parts, no keys. */
export function readyDocument({ config, made }: Running): object {
  const { seeded, operator_key_file } = made
  const { base_url } = localAddress(config)
  const shown = browserUrl(config)
  const hasApi = config.roles.includes('api')
  return {
    version: VERSION,
    mode: config.mode,
    roles: config.roles,
    pid: process.pid,
    seconds: Number(process.uptime().toFixed(1)),
    ...(hasApi && { base_url, console_url: `${shown}/console`, docs_url: `${shown}/docs` }),
    ready_url: `${healthUrl(config)}/readyz`,
    ...(config.roles.includes('network') && { network: networkOf(config), ...namedIn(config) }),
    database: config.database_url ? 'DATABASE_URL' : 'EMBEDDED',
    data_dir: config.data_dir,
    ...(seeded && { sandbox_file: sandboxPath(config.data_dir), sandbox_keys: seeded.state }),
    ...(operator_key_file && { operator_key_file }),
  }
}

function networkOf(config: Config): object {
  const { dialect, header, tls, confined } = config.network
  return { ...networkAddress(config), dialect, header, tls: tls !== null, confined }
}

/** The networks of NETWORKS_FILE. */
function namedIn({ networks, network }: Config): object {
  if (networks === null) return {}
  const shown = networks.map(({ name, role, addresses: at, dialect, header, envelope, mac }) => ({
    ...{ name, role, addresses: at.map(textOf), dialect, header, envelope },
    tls: role === 'listen' && network.tls !== null,
    mac: mac === null ? null : { algorithm: mac.method.algorithm, required: mac.required },
  }))
  return { networks: shown }
}

function addresses({ config, made }: Running): string[] {
  const { seeded, operator_key_file } = made
  const shown = browserUrl(config)
  const lines: [name: string, value: string | undefined | false][] = [
    ['Console', config.roles.includes('api') && `${shown}/console`],
    ['API, docs', config.roles.includes('api') && `${shown}/docs`],
    ['Health', (config.admin || !config.roles.includes('api')) && `${healthUrl(config)}/readyz`],
    ['Network', config.roles.includes('network') && networkLine(config)],
    ...namedLines(config),
    ['Sweeps', config.roles.includes('worker') && 'running'],
    ['Database', config.database_url ? 'DATABASE_URL' : `embedded, in ${config.data_dir}`],
    ['Keys', seeded && `${sandboxPath(config.data_dir)}${remark[seeded.state]}`],
    ['', seeded?.other && `those of another database stay in ${seeded.other}`],
    ['Operator', operator_key_file && `the key is in ${operator_key_file}; keep it elsewhere`],
  ]
  return lines.flatMap(([name, value]) => (value ? [`  ${name.padEnd(10)} ${value}`] : []))
}

function networkLine(config: Config): string {
  const { dialect, header, tls, confined } = config.network
  const { host, port } = networkAddress(config)
  const line = `${host}:${port} (${dialect}, ${header}${tls ? ', TLS' : ''})`
  return confined ? `${line}, loopback only: set NETWORK_ALLOW to open it to peers` : line
}

/** A line for each network of NETWORKS_FILE; nothing of its keys. */
function namedLines({ roles, networks, network }: Config): [name: string, value: string][] {
  if (networks === null || !roles.includes('network')) return []
  return networks.map((one, at) => {
    const { name, role, addresses: places, dialect, header, envelope, mac } = one
    const way = role === 'listen' ? 'listens at' : 'connects to'
    const parts: string[] = [dialect, header, ...(envelope === 'none' ? [] : [envelope])]
    if (role === 'listen' && network.tls) parts.push('TLS')
    parts.push(mac === null ? 'no MAC' : mac.required ? 'MAC' : 'MAC not required')
    const where = places.map(textOf).join(', ')
    return [at === 0 ? 'Networks' : '', `${name} ${way} ${where} (${parts.join(', ')})`]
  })
}

const textOf = ({ host, port }: Address): string =>
  `${host.includes(':') ? `[${host}]` : host}:${port}`

const remark = {
  made: '',
  kept: '',
  renewed: ' (was missing or of another database: the keys in it are new)',
} as const

function trying({ config }: Running): string[] {
  const { base_url } = localAddress(config)
  const path = sandboxPath(config.data_dir)
  const near = relative(process.cwd(), path)
  const file = near.startsWith('..') ? path : near
  // Without DATA_DIR the programs look into ./data.
  const folder = near === 'data/sandbox.json' ? '' : `DATA_DIR=${quoted(config.data_dir)} `
  const key = `$(node -p "JSON.parse(fs.readFileSync('${file}')).tenant.api_key")`
  return [
    'Try it:',
    `  curl -H "apikey: ${key}" ${base_url}/v1/cards`,
    `  ${folder}npm run demo`,
    `  ${folder}npm run doctor`,
  ]
}

/** The path as one word for a shell. */
const quoted = (path: string): string =>
  /^[\w./@+-]+$/.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`
