/** The recipe of an image (deploy/Containerfile) as data: its stages with their steps. */

import { DockerfileParser, type From, type Instruction } from 'dockerfile-ast'
import { parse } from 'yaml'

export type Step = {
  keyword: string
  /** Flags without their dashes: `from`, `chown`. */
  flags: Readonly<Record<string, string>>
  /** The arguments, of the exec form too; those of ENV and LABEL are `pairs`. */
  words: readonly string[]
  pairs: readonly (readonly [name: string, value: string])[]
  /** An array of JSON: nothing of it is read by a shell. */
  isExec: boolean
  /** The arguments as they are written, without flags, on one line. */
  text: string
}

export type Stage = {
  image: string
  tag: string | null
  /** Digest of the image, as sha256:…; null if the tag alone names it. */
  digest: string | null
  name: string | null
  steps: readonly Step[]
}

/** Steps before the first FROM are of no stage. */
export function stagesOf(recipe: string): Stage[] {
  const stages: (Stage & { steps: Step[] })[] = []
  for (const instruction of DockerfileParser.parse(recipe).getInstructions()) {
    if (isFrom(instruction)) {
      const [image, tag] = [instruction.getImageName() ?? '', instruction.getImageTag()]
      const [digest, name] = [instruction.getImageDigest(), instruction.getBuildStage()]
      stages.push({ image, tag, digest, name, steps: [] })
    } else stages.at(-1)?.steps.push(stepOf(instruction))
  }
  return stages
}

const isFrom = (instruction: Instruction): instruction is From =>
  instruction.getKeyword() === 'FROM'

/** The last of a kind counts, as of CMD and USER. */
export const lastOf = (stage: Stage | undefined, keyword: string): Step | undefined =>
  stage?.steps.findLast((step) => step.keyword === keyword)

/** The variables that a stage sets. */
export const variablesOf = (stage: Stage | undefined): Record<string, string> =>
  Object.fromEntries(stage?.steps.flatMap((s) => (s.keyword === 'ENV' ? s.pairs : [])) ?? [])

/** The command of HEALTHCHECK; empty if it has none in exec form. */
export function healthCommandOf(stage: Stage | undefined): string[] {
  const written = lastOf(stage, 'HEALTHCHECK')?.text.replace(/^CMD\s+/, '') ?? ''
  return wordsOf(written) ?? []
}

function stepOf(instruction: Instruction): Step {
  const text = (instruction.getArgumentsContent() ?? '').replace(/\s+/g, ' ')
  const exec = wordsOf(text)
  // Only some instructions have flags or properties; the types of the library are of each.
  const { getFlags, getProperties } = instruction as Partial<{
    getFlags: () => { getName: () => string; getValue: () => string | null }[]
    getProperties: () => { getName: () => string; getValue: () => string | null }[]
  }>
  const flags = getFlags?.call(instruction) ?? []
  const properties = getProperties?.call(instruction) ?? []
  return {
    keyword: instruction.getKeyword(),
    flags: Object.fromEntries(flags.map((flag) => [flag.getName(), flag.getValue() ?? ''])),
    words: exec ?? instruction.getArguments().map((argument) => argument.getValue()),
    pairs: properties.map((each) => [each.getName(), each.getValue() ?? ''] as const),
    isExec: exec !== undefined,
    text,
  }
}

/** The words of an array in JSON. */
function wordsOf(text: string): string[] | undefined {
  if (!text.startsWith('[')) return undefined
  try {
    const words: unknown = JSON.parse(text)
    return Array.isArray(words) ? words.map(String) : undefined
  } catch {
    return undefined
  }
}

/** Members of a service of a compose file that the drill and the rules read. */
export type Service = Partial<{
  image: string
  build: { context: string; dockerfile: string }
  environment: Record<string, string>
  secrets: string[]
  ports: string[]
  volumes: string[]
  tmpfs: string[]
  user: string
  healthcheck: { test: string[] }
  restart: string
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  depends_on: Record<string, { condition: string }>
  deploy: { resources?: { limits?: Record<string, string | number> } }
}>

export type Compose = {
  services: Record<string, Service>
  secrets: Record<string, { file: string }>
  volumes: Record<string, unknown>
}

/** A compose file; sections that it lacks are empty. */
export function composeOf(text: string): Compose {
  return { services: {}, secrets: {}, volumes: {}, ...(parse(text) as Partial<Compose>) }
}
