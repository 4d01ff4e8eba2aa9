/**
 * The output of a successful start: the addresses and how to try them, as text or for a program.
 */

import { relative } from 'node:path'
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
    ...(config.roles.includes('network') && { network: networkOf(config) }),
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

function addresses({ config, made }: Running): string[] {
  const { seeded, operator_key_file } = made
  const shown = browserUrl(config)
  const lines: [name: string, value: string | undefined | false][] = [
    ['Console', config.roles.includes('api') && `${shown}/console`],
    ['API, docs', config.roles.includes('api') && `${shown}/docs`],
    ['Health', (config.admin || !config.roles.includes('api')) && `${healthUrl(config)}/readyz`],
    ['Network', config.roles.includes('network') && networkLine(config)],
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
