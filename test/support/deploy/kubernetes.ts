/** The manifests of deploy/kubernetes as data, and the rules that they keep. */

import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import * as apps from 'kubernetes-models/apps/v1'
import * as networking from 'kubernetes-models/networking.k8s.io/v1'
import * as policy from 'kubernetes-models/policy/v1'
import * as core from 'kubernetes-models/v1'
import { type Static, Type } from 'typebox'
import { Value } from 'typebox/value'
import { parse, parseAllDocuments } from 'yaml'
import { faultsOfImage } from './images.ts'
import { isSecretName, settings } from './settings.ts'

export const FOLDER = 'deploy/kubernetes'
const KUSTOMIZATION = 'kustomization.yaml'

const Names = Type.Record(Type.String(), Type.String())
const Mount = Type.Object({ name: Type.String(), mountPath: Type.String() })
const Container = Type.Object({
  name: Type.String(),
  image: Type.String(),
  env: Type.Optional(Type.Array(Type.Object({ name: Type.String(), value: Type.String() }))),
  ports: Type.Array(Type.Object({ name: Type.String(), containerPort: Type.Integer() })),
  volumeMounts: Type.Array(Mount),
  resources: Type.Object({ limits: Names }),
  securityContext: Type.Object({
    readOnlyRootFilesystem: Type.Literal(true),
    allowPrivilegeEscalation: Type.Literal(false),
    capabilities: Type.Object({ drop: Type.Tuple([Type.Literal('ALL')]) }),
  }),
  startupProbe: Type.Unknown(),
  readinessProbe: Type.Unknown(),
})
const Workload = Type.Object({
  selector: Type.Object({ matchLabels: Names }),
  template: Type.Object({
    metadata: Type.Object({ labels: Names }),
    spec: Type.Object({
      automountServiceAccountToken: Type.Literal(false),
      securityContext: Type.Object({ runAsNonRoot: Type.Literal(true) }),
      containers: Type.Array(Container),
      volumes: Type.Array(Type.Object({ name: Type.String() })),
    }),
  }),
  volumeClaimTemplates: Type.Optional(Type.Array(Type.Object({ metadata: Names }))),
})
const Resource = Type.Object({
  apiVersion: Type.String(),
  kind: Type.String(),
  metadata: Type.Object({ name: Type.String() }),
  spec: Type.Optional(Type.Unknown()),
  data: Type.Optional(Names),
})
export type Resource = Static<typeof Resource>
type Workload = Static<typeof Workload>

/** Files by their path below FOLDER. */
export type Files = ReadonlyMap<string, string>

export const readFiles = (): Map<string, string> =>
  new Map(
    globSync(`${FOLDER}/*/*.yaml`).map((path) => [
      path.slice(FOLDER.length + 1),
      readFileSync(path, 'utf8'),
    ]),
  )

/** The resources of a folder and of those that its kustomization names. */
export function resourcesOf(files: Files, folder: string): Resource[] {
  const { resources }: { resources: string[] } = parse(files.get(join(folder, KUSTOMIZATION)) ?? '')
  return resources.flatMap((name) => {
    const path = join(folder, name)
    return name.endsWith('.yaml') ? documentsOf(files.get(path) ?? '') : resourcesOf(files, path)
  })
}

const documentsOf = (text: string): Resource[] =>
  parseAllDocuments(text).map((document) => Value.Parse(Resource, document.toJS()))

/** A sentence for each file that no kustomization names, and for each that is named and absent. */
export function faultsOfNames(files: Files): string[] {
  const named = [...files].flatMap(([path, text]) => {
    if (basename(path) !== KUSTOMIZATION) return []
    const { resources }: { resources: string[] } = parse(text)
    return resources
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => join(dirname(path), name))
  })
  const present = [...files.keys()].filter((path) => basename(path) !== KUSTOMIZATION)
  return [
    ...named.filter((path) => !files.has(path)).map((path) => `${path} is not there`),
    ...present.filter((path) => !named.includes(path)).map((path) => `nothing names ${path}`),
  ]
}

const GROUPS: Readonly<Record<string, object>> = {
  'apps/v1': apps,
  'networking.k8s.io/v1': networking,
  'policy/v1': policy,
  v1: core,
}
type Model = new (data: object) => { validate: () => void }
const isModel = (value: unknown): value is Model => typeof value === 'function'

/** A sentence for each fault of a resource by the published schema of its kind. */
export function faultsOfSchema({ apiVersion, kind, ...rest }: Resource): string[] {
  const Model: unknown = Reflect.get(GROUPS[apiVersion] ?? {}, kind)
  if (!isModel(Model)) return [`${kind} is no kind of ${apiVersion}`]
  try {
    new Model(rest).validate()
    return []
  } catch (error) {
    return [`${kind} ${rest.metadata.name}: ${error instanceof Error ? error.message : error}`]
  }
}

const WORKLOADS = ['Deployment', 'StatefulSet']

export const workloadsOf = (resources: readonly Resource[]): Workload[] =>
  resources
    .filter(({ kind }) => WORKLOADS.includes(kind))
    .map(({ spec }) => Value.Parse(Workload, spec))

/** A sentence for each rule that the resources of an overlay break. */
export function faultsOfRules(
  resources: readonly Resource[],
  versions: Readonly<Record<string, string>>,
): string[] {
  const workloads = workloadsOf(resources)
  const ports = workloads.flatMap(({ template }) =>
    template.spec.containers.flatMap((container) => container.ports.map(({ name }) => name)),
  )
  return [
    ...workloads.flatMap((workload) => faultsOfWorkload(workload, versions)),
    ...resources.flatMap(({ kind, metadata, spec, data }) => [
      ...portsNamedIn(spec)
        .filter((name) => !ports.includes(name))
        .map((name) => `${kind} ${metadata.name}: no container has the port ${name}`),
      ...Object.keys(data ?? {}).flatMap(faultsOfSetting),
    ]),
  ]
}

function faultsOfWorkload(
  { selector, template, volumeClaimTemplates = [] }: Workload,
  versions: Readonly<Record<string, string>>,
): string[] {
  const { spec, metadata } = template
  const volumes = [
    ...spec.volumes.map(({ name }) => name),
    ...volumeClaimTemplates.map((claim) => claim.metadata['name'] ?? ''),
  ]
  const selected = Object.entries(selector.matchLabels)
  return [
    ...selected
      .filter(([name, value]) => metadata.labels[name] !== value)
      .map(([name]) => `the selector's ${name} is no label of the pods`),
    ...spec.containers.flatMap(({ name, image, env = [], volumeMounts, resources }) => [
      ...faultsOfImage(image, versions, image.startsWith('bezant:')),
      ...volumeMounts
        .filter((mount) => !volumes.includes(mount.name))
        .map((mount) => `${name}: there is no volume ${mount.name}`),
      ...('memory' in resources.limits ? [] : [`${name}: it has no limit of memory`]),
      ...(name === 'bezant' ? env.flatMap((variable) => faultsOfSetting(variable.name)) : []),
    ]),
  ]
}

function faultsOfSetting(name: string): string[] {
  if (!settings.has(name)) return [`${name} is no setting`]
  return isSecretName(name) ? [`${name} holds a secret: name a file`] : []
}

/** The names of ports in services and policies; numbers are ports of others. */
function portsNamedIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(portsNamedIn)
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => {
    if (typeof member !== 'string') return portsNamedIn(member)
    return name === 'targetPort' || name === 'port' ? [member] : []
  })
}
