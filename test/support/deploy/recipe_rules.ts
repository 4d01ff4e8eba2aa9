/** Rules for the recipe of the image. Each rule returns a sentence for each fault. */

import {
  healthCommandOf,
  lastOf,
  type Stage,
  type Step,
  stagesOf,
  variablesOf,
} from '../../../deploy/drills/stage/recipe.ts'
import { isSecretName, settings, usualPorts } from './settings.ts'

/** The values that the recipe is compared with. */
export type Surroundings = {
  /** Versions in package.json: the program's, and that of the Node that the tests run on. */
  version: string
  node: string
  /** Whether the path goes to the build. */
  hasPath: (path: string) => boolean
}

type Recipe = Surroundings & { stages: readonly Stage[]; last: Stage | undefined; all: Step[] }

/** Paths that no file of the context has and that steps make. */
const MADE = ['node_modules', 'apps/console/dist']
/** The ones that src/program/run.ts handles. */
const HANDLED = ['SIGTERM', 'SIGINT']
/** Packages come from a stage in which a lock file was installed without these. */
const OMITTED = ['--omit=dev', '--omit=optional']

const isDigest = (text: string | null): boolean => /^sha256:[0-9a-f]{64}$/.test(text ?? '')
const when = (isFault: boolean, line: string): string[] => (isFault ? [line] : [])

export function faultsOfRecipe(text: string, surroundings: Surroundings): string[] {
  const stages = stagesOf(text)
  const all = stages.flatMap(({ steps }) => steps)
  const recipe = { ...surroundings, stages, last: stages.at(-1), all }
  return RULES.flatMap((rule) => rule(recipe))
}

const RULES: readonly ((recipe: Recipe) => string[])[] = [
  ({ stages, node }) =>
    stages.flatMap(({ image, tag, digest }) => [
      ...when(!isDigest(digest), `${image} is not named by its digest`),
      ...when(tag === null || tag === 'latest', `${image} has no version`),
      ...when(image !== 'node', `${image} is not the official image of Node`),
      ...when(tag !== null && !tag.startsWith(`${node}-`), `${tag} is not Node ${node}`),
      ...when(tag !== null && !tag.endsWith('-slim'), `${tag} is not slim`),
    ]),
  ({ stages }) =>
    when(new Set(stages.map(({ digest }) => digest)).size > 1, 'stages have several digests'),
  ({ all }) =>
    all
      .filter(({ keyword }) => keyword === 'ADD' || keyword === 'ENTRYPOINT')
      .map(({ keyword, text }) => `${keyword} ${text}: say COPY or CMD`),
  ({ all }) =>
    namesOf(all)
      .filter(([name, value]) => isSecretName(name) || /:\/\/[^/]*@/.test(value))
      .map(([name]) => `${name} may hold a secret`),
  ({ last }) =>
    Object.keys(variablesOf(last))
      .filter((name) => !settings.has(name))
      .map((name) => `${name} is no setting`),
  ({ last }) => {
    const user = last?.steps.findIndex(({ keyword }) => keyword === 'USER') ?? -1
    const command = last?.steps.findIndex(({ keyword }) => keyword === 'CMD') ?? -1
    const account = lastOf(last, 'USER')?.words[0] ?? ''
    return [
      ...when(!/^[1-9]\d*:[1-9]\d*$/.test(account), 'USER is not the number of an account'),
      ...when(user < 0 || user > command, 'USER is not before CMD'),
    ]
  },
  ({ last, hasPath }) => {
    const [command, health] = [lastOf(last, 'CMD'), healthCommandOf(last)]
    const named = [command?.words ?? [], health].flatMap((words) => words.slice(1))
    return [
      ...when(!command?.isExec, 'CMD is not in exec form'),
      ...when(health.length === 0, 'HEALTHCHECK is not there, or not in exec form'),
      ...named.filter((path) => !hasPath(path)).map((path) => `${path} is not there`),
    ]
  },
  ({ last }) => {
    const signal = lastOf(last, 'STOPSIGNAL')?.words[0] ?? ''
    return when(!HANDLED.includes(signal), 'STOPSIGNAL is not one that the program handles')
  },
  ({ last }) => {
    const exposed = last?.steps.flatMap((s) => (s.keyword === 'EXPOSE' ? s.words : [])) ?? []
    return when(
      exposed.toSorted().join() !== usualPorts.toSorted().join(),
      `EXPOSE is ${exposed.join()}, and the ports are ${usualPorts.join()}`,
    )
  },
  ({ last, version }) => {
    const label = last?.steps
      .flatMap(({ keyword, pairs }) => (keyword === 'LABEL' ? pairs : []))
      .find(([name]) => name === 'org.opencontainers.image.version')
    return when(label?.[1] !== version, `the label of the version is not ${version}`)
  },
  (recipe) => recipe.all.flatMap((step) => (step.keyword === 'COPY' ? copied(step, recipe) : [])),
  ({ last, stages }) => {
    const copy = last?.steps.find(({ words }) => words.at(-1) === 'node_modules')
    const stage = stages.find(({ name }) => name !== null && name === copy?.flags['from'])
    const install = lastOf(stage, 'RUN')?.text ?? ''
    return when(
      !install.startsWith('npm ci ') || OMITTED.some((each) => !install.includes(each)),
      `node_modules is not of a stage with npm ci ${OMITTED.join(' ')}`,
    )
  },
]

/** Variables of ENV and of ARG, which stay in the history of an image. */
function namesOf(steps: readonly Step[]): (readonly [name: string, value: string])[] {
  return steps.flatMap(({ keyword, pairs, words }) => {
    if (keyword === 'ENV') return pairs
    if (keyword !== 'ARG') return []
    return words.map((word) => {
      const [name = '', value = ''] = word.split('=', 2)
      return [name, value] as const
    })
  })
}

function copied({ words, flags }: Step, { stages, hasPath }: Recipe): string[] {
  const from = flags['from']
  const stage = stages.find(({ name }) => name !== null && name === from)
  if (from !== undefined && !stage) return [`COPY --from=${from}: there is no such stage`]
  const folder = lastOf(stage, 'WORKDIR')?.words[0]
  return words.slice(0, -1).flatMap((source) => {
    const path = folder === undefined ? source : source.replace(`${folder}/`, '')
    const isThere = path === '.' || hasPath(path) || (stage && MADE.includes(path))
    return when(!isThere, `COPY ${source}: it is not there`)
  })
}
