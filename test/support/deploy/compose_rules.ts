/** Rules for a compose file. Each rule returns a sentence for each fault. */

import { type Compose, composeOf, type Service } from '../../../deploy/drills/stage/recipe.ts'
import { faultsOfImage } from './images.ts'
import { isSecretName, settings } from './settings.ts'

/** The values that the file is compared with. */
export type Surroundings = {
  /** The tags of its images begin with these. */
  versions: Readonly<Record<string, string>>
  /** The service that is the program, and the health check of its image. */
  program: string
  health: readonly string[]
  /** Relative to the folder of the file. */
  hasPath: (path: string) => boolean
}

type One = { name: string; service: Service; compose: Compose } & Surroundings

const SECRETS = '/run/secrets/'
const LIMITS = ['cpus', 'memory', 'pids']

const when = (isFault: boolean, line: string): string[] => (isFault ? [line] : [])

export function faultsOfCompose(text: string, surroundings: Surroundings): string[] {
  const compose = composeOf(text)
  const services = Object.entries(compose.services)
  const used = services.flatMap(([, { secrets = [] }]) => secrets)
  return [
    ...services.flatMap(([name, service]) =>
      RULES.flatMap((rule) =>
        rule({ ...surroundings, name, service, compose }).map((line) => `${name}: ${line}`),
      ),
    ),
    ...Object.entries(compose.secrets).flatMap(([name, { file }]) => [
      ...when(file !== `./secrets/${name}`, `the secret ${name} is not in the folder of secrets`),
      ...when(!used.includes(name), `the secret ${name} is of no service`),
    ]),
  ]
}

const RULES: readonly ((one: One) => string[])[] = [
  ({ service: { image = '', build }, versions }) =>
    faultsOfImage(image, versions, build !== undefined),
  ({ service: { build }, hasPath }) => {
    const path = build && `${build.context}/${build.dockerfile}`
    return when(path !== undefined && !hasPath(path), `${path} is not there`)
  },
  ({ service, name, program, health }) => {
    const [form, ...command] = service.healthcheck?.test ?? []
    return [
      ...when(form !== 'CMD' || command.length === 0, 'it has no health check in exec form'),
      ...when(
        name === program && command.join(' ') !== health.join(' '),
        'its health check is not the image’s',
      ),
    ]
  },
  ({ service }) => {
    const limits = service.deploy?.resources?.limits ?? {}
    return LIMITS.filter((each) => !(each in limits)).map((each) => `it has no limit of ${each}`)
  },
  ({ service: { ports = [] } }) =>
    ports
      .filter((port) => !/^127\.0\.0\.1:\d+:\d+$/.test(port))
      .map((port) => `${port} is not on loopback`),
  ({ service, name, program }) => [
    ...when(service.read_only !== true, 'its files are not read-only'),
    ...when(service.cap_drop?.join() !== 'ALL', 'it has capabilities'),
    ...when(!service.security_opt?.includes('no-new-privileges:true'), 'it may gain privileges'),
    ...when(service.restart !== 'unless-stopped', 'it is not restarted'),
    ...when(name !== program && /^(root|0)?(:.*)?$/.test(service.user ?? ''), 'it is root'),
  ],
  ({ service: { depends_on = {} }, compose }) =>
    Object.entries(depends_on).flatMap(([other, { condition }]) => [
      ...when(!(other in compose.services), `there is no service ${other}`),
      ...when(condition !== 'service_healthy', `it does not wait until ${other} is healthy`),
    ]),
  ({ service: { environment = {}, secrets = [] }, compose }) => [
    ...Object.entries(environment).flatMap(([name, value]) =>
      faultsOfVariable(name, value, secrets),
    ),
    ...secrets
      .filter((name) => !(name in compose.secrets))
      .map((name) => `there is no secret ${name}`),
  ],
  ({ service: { environment = {} }, name, program }) =>
    name === program ? unknownSettings(environment) : [],
  ({ service: { volumes = [] }, compose, hasPath }) =>
    volumes
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((from) => !(from.startsWith('.') ? hasPath(from) : from in compose.volumes))
      .map((from) => `there is no volume ${from}`),
]

function faultsOfVariable(name: string, value: string, secrets: readonly string[]): string[] {
  if (isSecretName(name)) return [`${name} holds a secret: name a file`]
  if (!name.endsWith('_FILE')) return []
  const isMounted = value.startsWith(SECRETS) && secrets.includes(value.slice(SECRETS.length))
  return when(!isMounted, `${name} names no secret of the service`)
}

export const unknownSettings = (environment: Readonly<Record<string, string>>): string[] =>
  Object.keys(environment)
    .filter((name) => !settings.has(name))
    .map((name) => `${name} is no setting`)
