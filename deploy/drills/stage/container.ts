/** A process of an image that was built in a folder, started as its container is. */

import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DrillFault } from '../fault.ts'
import { locate, type Running, run, start } from '../programs.ts'
import { freePort } from './free_port.ts'
import type { Built } from './image.ts'
import { runProgram, type Server } from './postgres.ts'
import { composeOf, healthCommandOf, lastOf, type Stage } from './recipe.ts'
import { withoutRights } from './rights.ts'

const OWNER_SQL = 'deploy/postgresql/owner.sql'
const MAKE_SECRETS = 'deploy/secrets.sh'
const SECRETS = '/run/secrets'
/** The mode of a file that all accounts of a container read: its owner is unknown there. */
const READABLE = 0o444
/** The address at which compose.yaml has the server. */
const SERVER = 'postgres:5432'
const ADMIN = 'postgres'

type Environment = Readonly<Record<string, string>>

export class Container {
  readonly command: readonly string[]
  readonly #health: readonly string[]
  readonly #signal: NodeJS.Signals
  readonly #rights: readonly string[]
  readonly #env: Environment
  readonly #cwd: string

  constructor({ built, image, env }: { built: Built; image: Stage; env: Environment }) {
    const [uid, gid] = (lastOf(image, 'USER')?.words[0] ?? '').split(':').map(Number)
    this.command = lastOf(image, 'CMD')?.words ?? []
    this.#health = healthCommandOf(image)
    // A wrong name is an error of `kill`.
    this.#signal = lastOf(image, 'STOPSIGNAL')?.words[0] as NodeJS.Signals
    this.#rights = withoutRights(uid, gid)
    this.#env = env
    this.#cwd = built.at('.')
  }

  start(): Running {
    return start(locate('setpriv', 'util-linux'), [...this.#rights, ...this.command], {
      env: this.#env,
      cwd: this.#cwd,
    })
  }

  /** Another process in it, to its end. */
  execute(words: readonly string[]): { code: number; output: string } {
    const options = { env: this.#env, cwd: this.#cwd }
    return run(locate('setpriv', 'util-linux'), [...this.#rights, ...words], options)
  }

  checkHealth(): { code: number; line: string } {
    const { code, output } = this.execute(this.#health)
    return { code, line: `$ ${this.#health.join(' ')}\n${output.trim()}, exit code ${code}` }
  }

  /** A fault where the answer is no success. */
  async get(path: string): Promise<string> {
    const { ok, status } = await fetch(`http://127.0.0.1:${this.#env['PORT']}${path}`)
    if (!ok) throw new DrillFault(`GET ${path} answered ${status}`)
    return `GET ${path}: ${status}`
  }

  /** A fault where it has not ended by itself, with success. */
  async stop(program: Running): Promise<string> {
    program.kill(this.#signal)
    const code = await program.ended
    if (code !== 0) throw new DrillFault(`it ended with ${code}:\n${program.text()}`)
    return `${this.#signal}: it has stopped with ${code}`
  }
}

/**
 * The environment of the image and of its service in a compose file, with ports that are free here.
 */
export async function environmentOf(built: Built, compose: string): Promise<Environment> {
  const { services } = composeOf(readFileSync(compose, 'utf8'))
  const settings = Object.entries(services['bezant']?.environment ?? {})
  const given = settings.map(([name, value]) => [name, built.within(value)])
  const ports: Record<string, string> = {}
  for (const name of ['PORT', 'NETWORK_PORT', 'ADMIN_PORT']) ports[name] = String(await freePort())
  const TMPDIR = built.at('/tmp')
  return { ...built.variables(), ...Object.fromEntries(given), ...ports, TMPDIR }
}

/** Makes the secrets as the documents do, and puts each where compose.yaml has it. */
export function mountSecrets(
  built: Built,
  { folder, server }: { folder: string; server: Server },
): void {
  const { code, output } = run('sh', [MAKE_SECRETS, folder])
  if (code !== 0) throw new DrillFault(`${MAKE_SECRETS} ended with ${code}:\n${output}`)
  mkdirSync(built.at(SECRETS), { recursive: true })
  for (const name of readdirSync(folder)) {
    const made = join(folder, name)
    if ((statSync(made).mode & 0o777) !== READABLE) throw new DrillFault(`${name} is not readable`)
    const text = readFileSync(made, 'utf8').replace(SERVER, `127.0.0.1:${server.port}`)
    writeFileSync(built.at(`${SECRETS}/${name}`), text, { mode: READABLE })
  }
}

/**
 * Makes the database by the script of the compose file, in the place of the one that servers of
 * drills have.
 */
export async function makeDatabase(built: Built, server: Server): Promise<string> {
  await server.query('drop database bezant', ADMIN)
  await server.query('drop role bezant', ADMIN)
  const script = built.at('/tmp/owner.sql')
  mkdirSync(built.at('/tmp'), { recursive: true })
  const text = readFileSync(OWNER_SQL, 'utf8').replaceAll(SECRETS, built.at(SECRETS))
  writeFileSync(script, text, { mode: READABLE })
  const printed = runProgram('psql', [server.url(ADMIN, ADMIN), '--no-psqlrc', '-f', script])
  return `$ psql -f ${OWNER_SQL}\n${printed}`
}
