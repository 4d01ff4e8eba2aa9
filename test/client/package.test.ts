/** The package as npm publishes it: its content, its types, its size and its examples. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { before, test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { publint } from 'publint'
import { linesOfCode } from '#test/support/inspection/code_lines.ts'
import { keeper } from '#test/support/keeper.ts'
import { bundled, ENTRIES } from './bundle.ts'
import { examplesIn } from './examples.ts'
import { publish } from './published.ts'

/** Bytes that a program loads of all entry points and of the dependency, compressed (D-801). */
const LARGEST_BYTES = 40_000
/** The whole package; most of it is the descriptions that editors show. */
const LARGEST_PACKAGE_BYTES = 145_000

const keep = keeper()
const published = keep(publish())
const { folder, library, tarball, files } = published
const manifest = JSON.parse(readFileSync('packages/client/package.json', 'utf8'))
const root = JSON.parse(readFileSync('package.json', 'utf8'))

let bundle = ''
before(async () => {
  bundle = await bundled(folder)
})

test('the package has the built files, their types, README and license, and nothing else', () => {
  const others = files.filter((path) => !/^dist\/[\w/]+(?<!test)\.(js|d\.ts)$/.test(path))
  assert.deepEqual(others, ['LICENSE', 'README.md', 'package.json'])
  const scripts = files.filter((path) => path.endsWith('.js'))
  assert.deepEqual(
    scripts.filter((path) => !files.includes(path.replace(/js$/, 'd.ts'))),
    [],
  )
  for (const { '.': _, ...rest } of [manifest.exports]) {
    for (const path of Object.values<string>(rest)) assert.ok(files.includes(path.slice(2)), path)
  }
})

test('no file of the package names a path of this machine or a map of its sources', () => {
  const texts = files.map((path) => [path, readFileSync(join(library, path), 'utf8')] as const)
  const naming = texts.filter(
    ([, text]) => text.includes(resolve('.')) || /sourceMappingURL|\/home\/|\/root\//.test(text),
  )
  assert.deepEqual(
    naming.map(([path]) => path),
    [],
  )
})

test('its version is that of the program, and so is the version of its dependency', () => {
  assert.equal(manifest.version, root.version)
  const { standardwebhooks } = root.dependencies
  assert.deepEqual(manifest.dependencies, { standardwebhooks })
  assert.equal(readFileSync('packages/client/LICENSE', 'utf8'), readFileSync('LICENSE', 'utf8'))
})

test('publint finds nothing', async () => {
  const { messages } = await publint({ pkgDir: library, pack: false, strict: true })
  assert.deepEqual(messages, [])
})

test('arethetypeswrong finds nothing', () => {
  const tool = 'node_modules/@arethetypeswrong/cli/dist/index.js'
  const args = [tool, tarball, '--profile', 'esm-only', '--no-color', '--no-emoji']
  const { status, stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' })
  assert.equal(status, 0, stdout)
  for (const name of ENTRIES) assert.ok(stdout.includes(`"${name.replace('.', manifest.name)}"`))
})

test('all of it is at most 40 kB compressed, and the package 145 kB', (t) => {
  const code = gzipSync(bundle, { level: 9 }).length
  const whole = readFileSync(tarball).length
  t.diagnostic(`${code} bytes of code, ${whole} bytes of package`)
  assert.ok(code > 5_000 && code <= LARGEST_BYTES, `${code} bytes`)
  assert.ok(whole <= LARGEST_PACKAGE_BYTES, `${whole} bytes`)
})

for (const [title, api] of [
  ['Card issuing', 'issuing'],
  ['Merchant orders', 'merchant'],
  ['Portal', 'portal'],
] as const) {
  test(`every chapter of the reference of ${api} has an example`, () => {
    const document = JSON.parse(readFileSync(`docs/openapi/${api}.json`, 'utf8'))
    const tags = Object.values<Record<string, { tags: string[] }>>(document.paths).flatMap((path) =>
      Object.values(path).flatMap((operation) => operation.tags),
    )
    const names = document.tags.map(({ name }: { name: string }) => name)
    const [, part = ''] = readFileSync(EXAMPLES, 'utf8').split(`\n## ${title}\n`)
    const [own = ''] = part.split('\n## ')
    const examples = examplesIn(own, '### ')
    assert.deepEqual(
      [...examples.keys()],
      names.filter((name: string) => tags.includes(name)),
    )
    writeExamples(api, examples)
  })
}

const EXAMPLES = 'docs/client_examples.md'

function writeExamples(of: string, examples: ReadonlyMap<string, string>): void {
  for (const [name, code] of examples) {
    writeFileSync(join(folder, `${of}_${name.toLowerCase().replaceAll(' ', '_')}.ts`), code)
  }
}

test('the examples and the demo compile', () => {
  const examples = examplesIn(readFileSync('packages/client/README.md', 'utf8'))
  assert.deepEqual([...examples.keys()], [
    'Start', 'Users and KYC', 'Cards', 'Transactions', 'Controls', 'Webhooks', 'Events', 'Responder',
    'Lists', 'Errors', 'Idempotency', 'Changes of one version', 'Shops and the portal',
  ]) // biome-ignore format: chapters in their order.
  writeExamples('readme', examples)
  writeFileSync(join(folder, 'demo.ts'), readFileSync('examples/client/demo.ts'))
  assert.equal(compile(), '')
})

test('what the document does not know does not compile', () => {
  const wrong: [code: string, fault: RegExp][] = [
    ["bezant.users.create({ first_nam: 'Layla', last_name: 'H' })", /first_nam/],
    ["bezant.cards.list({ status: 'OPEN' })", /OPEN/],
    ['bezant.users.destroy()', /destroy/],
    ["if (event.event === 'PING') event.card_transaction", /card_transaction/],
  ]
  const head = "import { type Bezant, webhooks } from '@bezant/client'\n"
  const given = `${head}declare const bezant: Bezant, event: webhooks.WebhookEvent\n`
  writeFileSync(join(folder, 'wrong.ts'), given + wrong.map(([code]) => code).join('\n'))
  const output = compile()
  for (const [code, fault] of wrong) assert.match(output, fault, code)
  writeFileSync(join(folder, 'wrong.ts'), '')
})

/** Findings of the compiler in the programs of the folder, under strict rules. */
function compile(): string {
  const compilerOptions = {
    strict: true,
    noUncheckedIndexedAccess: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    module: 'nodenext',
    target: 'es2022',
    types: ['node'],
    lib: ['es2022'],
    allowImportingTsExtensions: true,
  }
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, include: ['*.ts'] }),
  )
  const args = [resolve('node_modules/ts7/bin/tsc'), '-p', folder]
  return spawnSync(process.execPath, args, { encoding: 'utf8' }).stdout
}

test('the whole demo takes at most 60 lines of code', () => {
  assert.ok(linesOfCode('examples/client/demo.ts') <= 60)
})

test('examples/client finds the library of this tree', () => {
  const example = JSON.parse(readFileSync('examples/client/package.json', 'utf8'))
  const [, path = ''] = /^file:(.+)/.exec(example.dependencies[manifest.name]) ?? []
  const found = JSON.parse(readFileSync(join('examples/client', path, 'package.json'), 'utf8'))
  assert.equal(found.name, manifest.name)
})
