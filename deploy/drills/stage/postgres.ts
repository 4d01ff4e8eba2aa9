/** PostgreSQL servers of a drill, made in its folder by the programs of an installed PostgreSQL. */

import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { appendFileSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { freezeTree, killTree, thawTree } from '#test/support/processes/tree.ts'
import { DrillFault } from '../fault.ts'
import { giveToAccount, makeFolderOfAccount, optionsOfAccount, runAsAccount } from './account.ts'
import { freePort } from './free_port.ts'
import { until } from './until.ts'

/** The files that operators receive: settings and scripts, with the folders of an installation. */
const GIVEN = 'deploy/postgresql'
const GIVEN_PATHS = { scripts: '/opt/bezant/deploy/postgresql/', data: '/srv/bezant/' }
/** Debian's. */
const INSTALLED = '/usr/lib/postgresql'
const ADMIN = 'postgres'
/** The owner of the program's database, and the database. */
export const OWNER = 'bezant'
const LAST_LINES = 10
/** The role that copies the server or follows it. */
export const REPLICATOR = 'replicator'

const passwords: Readonly<Record<string, string>> = Object.fromEntries(
  [ADMIN, OWNER, REPLICATOR].map((name) => [name, randomBytes(12).toString('hex')]),
)

/**
 * Settings of every server beside those that a drill sets; all others are PostgreSQL's defaults.
 */
const USUAL: Settings = {
  listen_addresses: '127.0.0.1',
  max_connections: '200',
  timezone: 'UTC',
  log_timezone: 'UTC',
}

type Settings = Readonly<Record<string, string>>

/** The folder of the programs of the newest PostgreSQL that is installed, or PG_BIN. */
function binaries(): string {
  const named = process.env['PG_BIN']
  if (named) return named
  try {
    const versions = readdirSync(INSTALLED).map(Number).filter(Number.isInteger)
    if (versions.length > 0) return join(INSTALLED, String(Math.max(...versions)), 'bin')
  } catch {
    // Other systems have it elsewhere.
  }
  throw new DrillFault(
    'PostgreSQL is not installed. Debian has it: apt-get install postgresql; elsewhere set ' +
      'PG_BIN to the folder of pg_basebackup',
  )
}

/** Runs a program of PostgreSQL on a server, as the account of the servers; returns its output. */
export function runProgram(name: string, args: readonly string[]): string {
  return runAsAccount(join(binaries(), name), args, { PGPASSWORD: passwords[REPLICATOR] ?? '' })
}

/** Adds settings; the later of two lines for one setting counts. */
export function configure(folder: string, settings: Settings): void {
  const lines = Object.entries(settings).map(
    ([name, value]) => `${name} = '${value.replaceAll("'", "''")}'\n`,
  )
  appendFileSync(join(folder, 'postgresql.conf'), lines.join(''))
}

/** Adds the settings of a file of deploy/postgresql, with the folders of the drill. */
export function configureAsGiven(folder: string, file: string, settings: Settings = {}): void {
  const stage = dirname(folder)
  const scripts = join(stage, 'scripts')
  // The account of the servers may not reach the project.
  cpSync(GIVEN, scripts, { recursive: true })
  const text = readFileSync(join(scripts, file), 'utf8')
    .replaceAll(GIVEN_PATHS.scripts, `${scripts}/`)
    .replaceAll(GIVEN_PATHS.data, `${stage}/`)
  appendFileSync(join(folder, 'postgresql.conf'), text)
  configure(folder, settings)
}

/**
 * Makes and starts a server with the settings of files of deploy/postgresql. It has the program's
 * database, its owner and a role for replication.
 */
export async function makeServer(folder: string, files: readonly string[] = []): Promise<Server> {
  makeFolderOfAccount(folder)
  const secret = `${folder}.password`
  writeFileSync(secret, passwords[ADMIN] ?? '', { mode: 0o600 })
  giveToAccount(secret)
  const access = ['-U', ADMIN, `--pwfile=${secret}`, '--auth=scram-sha-256']
  runProgram('initdb', ['-D', folder, ...access, '-E', 'UTF8', '--locale=C.UTF-8', '-k'])
  configure(folder, USUAL)
  for (const file of files) configureAsGiven(folder, file)
  const server = await serverIn(folder)
  await server.start()
  for (const statement of [
    `create role ${REPLICATOR} replication login password '${passwords[REPLICATOR]}'`,
    `create role ${OWNER} createrole login password '${passwords[OWNER]}'`,
    `create database ${OWNER} owner ${OWNER}`,
  ]) {
    await server.query(statement, ADMIN)
  }
  return server
}

/** The server of a folder that exists, not started, on a port of its own where none is given. */
export async function serverIn(folder: string, given?: number): Promise<Server> {
  const port = given ?? (await freePort())
  configure(folder, { port: String(port), unix_socket_directories: folder })
  return new Server(folder, port)
}

export class Server {
  readonly folder: string
  readonly port: number
  #child: ChildProcess | undefined

  constructor(folder: string, port: number) {
    this.folder = folder
    this.port = port
  }

  /** The id of the process that has started all others of the server; 0 if it is not running. */
  get pid(): number {
    return this.#child?.pid ?? 0
  }

  /** The address of the program's database, as its owner or the administrator. */
  url(user = OWNER, database = OWNER): string {
    return `postgresql://${user}:${passwords[user]}@127.0.0.1:${this.port}/${database}`
  }

  /** Resolves when it answers. */
  async start(): Promise<void> {
    const child = spawn(join(binaries(), 'postgres'), ['-D', this.folder], {
      ...optionsOfAccount(),
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child = child
    const log = `${this.folder}.log`
    child.stderr.on('data', (text: Buffer) => appendFileSync(log, text))
    await until('the server answers', async () => {
      if (hasEnded(child)) throw new DrillFault(`PostgreSQL did not start:\n${lastLines(log)}`)
      return this.query('select', ADMIN).then(
        () => true,
        () => false,
      )
    })
  }

  /**
   * Stops the server in order: it ends its connections, writes everything to disk and archives its
   * log.
   */
  stop(): Promise<void> {
    return this.#end((child) => child.kill('SIGINT'))
  }

  /** Ends every process of the server at once, as a machine does that loses its power. */
  kill(): Promise<void> {
    return this.#end(({ pid = 0 }) => killTree(pid))
  }

  /**
   * Stops the server as on a machine that is cut off: it keeps its connections, and answers
   * nothing.
   */
  freeze(): void {
    freezeTree(this.#child?.pid ?? 0)
  }

  /** Lets a frozen server go on with the connections that it still has. */
  thaw(): void {
    thawTree(this.#child?.pid ?? 0)
  }

  async version(): Promise<string> {
    const [row] = await this.query<{ server_version: string }>('show server_version', ADMIN)
    return `PostgreSQL ${row?.server_version.split(' ')[0]}`
  }

  /** Queries as the administrator. */
  query<Row extends object>(text: string, database = OWNER): Promise<Row[]> {
    return queryAt(this.url(ADMIN, database), text)
  }

  async #end(how: (child: ChildProcess) => void): Promise<void> {
    const child = this.#child
    if (!child || hasEnded(child)) return
    how(child)
    await until('the server has ended', () => hasEnded(child))
  }
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) =>
  exitCode !== null || signalCode !== null

const lastLines = (file: string) =>
  readFileSync(file, 'utf8').split('\n').slice(-LAST_LINES).join('\n')

/** One statement on a connection of its own. */
export async function queryAt<Row extends object>(url: string, text: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}
