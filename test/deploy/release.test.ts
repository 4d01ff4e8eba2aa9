/** The files of a release (CONTRIBUTING.md). The console has been built by `npm ci`. */

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { before, describe, test } from 'node:test'
import { sha256Hex } from '#lib/digest.ts'
import { keeper } from '#test/support/keeper.ts'
import { LICENCES, makeRelease, SBOM, SUMS } from '../../tools/release/artefacts.ts'

const keep = keeper()
const folder = mkdtempSync(join(tmpdir(), 'bezant-releases-'))
keep({ close: () => rmSync(folder, { recursive: true }) })
const [first, second, installed] = ['first', 'second', 'installed'].map((name) =>
  join(folder, name),
) as [string, string, string]

const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
const ARCHIVE = `bezant-${manifest.version}.tar.gz`
const COMMAND_LINE = `bezant-cli-${manifest.version}.tgz`
const lines = (command: string, args: readonly string[]): string[] =>
  execFileSync(command, args, { encoding: 'utf8' }).trim().split('\n')
const textOf = (name: string): string => readFileSync(join(first, name), 'utf8')

/** Files that were exported without their history have no commit to make a release of. */
const isCommitted = spawnSync('git', ['rev-parse', '--verify', 'HEAD']).status === 0

describe('a release', { skip: !isCommitted && 'there is no commit' }, () => {
  before(() => {
    makeRelease(first)
    makeElsewhere(second)
  })

  test('two releases of one commit have the same bytes, and the sums are those of the files', () => {
    const sums = textOf(SUMS)
    assert.equal(readFileSync(join(second, SUMS), 'utf8'), sums)
    const names = [
      ...[LICENCES, ARCHIVE, COMMAND_LINE, `bezant-client-${manifest.version}.tgz`, SBOM],
      ...['bezant.postman_collection.json', 'issuing.openapi.json', 'merchant.openapi.json'],
      ...['portal.openapi.json', 'sandbox.postman_environment.json'],
    ]
    for (const made of [first, second]) {
      const expected = names.map(
        (name) => `${sha256Hex(readFileSync(join(made, name)))}  ${name}\n`,
      )
      assert.equal(sums, expected.join(''))
      assert.deepEqual(globSync('*', { cwd: made }).sort(), [...names, SUMS].sort())
    }
  })

  test('its archive has each file that is committed and each of the console, once', () => {
    const listed = lines('tar', ['-tzf', join(first, ARCHIVE)]).filter((path) => !/\/$/.test(path))
    const committed = lines('git', [
      '-c',
      'core.quotePath=off',
      'ls-tree',
      '-r',
      '--name-only',
      'HEAD',
    ])
    const built = globSync('apps/console/dist/**', { withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => `apps/console/dist/${join(entry.parentPath, entry.name).split('/dist/')[1]}`)
    assert.ok(built.includes('apps/console/dist/licenses.json'))
    const expected = [...committed, ...built].map((path) => `bezant/${path}`)
    assert.deepEqual(listed.sort(), expected.sort())
  })

  test('its SBOM names what is installed and what is within the console, and nothing else', () => {
    const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
    const installs = Object.entries<{ name?: string; version: string; dev?: true }>(packages)
      .filter(([path, { dev }]) => path !== '' && !dev)
      .map(
        ([path, { name, version }]) => `${name ?? path.split('node_modules/').at(-1)}@${version}`,
      )
    const bundled = JSON.parse(readFileSync('apps/console/dist/licenses.json', 'utf8')).map(
      ({ name, version }: { name: string; version: string }) => `${name}@${version}`,
    )
    const sbom = JSON.parse(textOf(SBOM))
    const refs = sbom.components.map((one: { 'bom-ref': string }) => one['bom-ref'])
    assert.deepEqual(refs.toSorted(), [...new Set([...installs, ...bundled])].sort())
    assert.equal(sbom.metadata.component.name, manifest.name)
    assert.match(
      sbom.serialNumber,
      /^urn:uuid:[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-8[\da-f]{3}-[\da-f]{12}$/,
    )
    for (const { ref, dependsOn } of sbom.dependencies) {
      for (const each of [ref, ...dependsOn]) {
        assert.ok(refs.includes(each) || each === sbom.metadata.component['bom-ref'], each)
      }
    }
  })

  test('its SBOM has the time of the commit, or that of SOURCE_DATE_EPOCH', () => {
    const seconds =
      process.env['SOURCE_DATE_EPOCH'] ?? lines('git', ['log', '-1', '--format=%ct'])[0]
    const instant = new Date(Number(seconds) * 1000).toISOString()
    assert.equal(JSON.parse(textOf(SBOM)).metadata.timestamp, instant)
  })

  test('its licences are those of each component, with the text that the package has', () => {
    const licences = textOf(LICENCES)
    for (const one of JSON.parse(textOf(SBOM)).components) {
      assert.ok(licences.includes(`\n${one['bom-ref']}: `), one['bom-ref'])
    }
    assert.doesNotMatch(licences, /: no licence named/)
    for (const font of ['@fontsource-variable/inter', '@fontsource/ibm-plex-mono']) {
      const [, text = ''] = licences.split(`\n${font}@`)
      assert.match(text.slice(0, 400), /OFL-1\.1, within the console\n\nCopyright /)
      assert.match(text.slice(0, 6000), /SIL OPEN FONT LICENSE/i)
    }
  })

  test('nothing in it names the folder that it was made in', () => {
    unpack(join(first, COMMAND_LINE), join(installed, LIBRARY))
    const made = globSync(['first/*.{json,txt}', `installed/**/*.{js,mjs,json,md}`], {
      cwd: folder,
    })
    assert.ok(made.length > 100)
    const naming = made.filter((path) =>
      readFileSync(join(folder, path), 'utf8').includes(resolve()),
    )
    assert.deepEqual(naming, [])
  })

  test('its command line runs where it is installed, and names what needs the program', () => {
    const own = JSON.parse(readFileSync(join(installed, LIBRARY, 'package.json'), 'utf8'))
    for (const name of Object.keys(own.dependencies)) {
      const place = join(installed, 'node_modules', name)
      mkdirSync(dirname(place), { recursive: true })
      symlinkSync(resolve('node_modules', name), place)
    }
    assert.equal(bezant('--version').stdout, `${manifest.version}\n`)
    const scripts = globSync('{apps,packages,src}/**/*.js', { cwd: join(installed, LIBRARY) })
    const every = scripts.map((path) => `import './${LIBRARY}/${path}'`).join('\n')
    const options = { cwd: installed, encoding: 'utf8' } as const
    const { stderr } = spawnSync(process.execPath, [...MODULE, every], options)
    assert.equal(stderr, '')
    for (const [status, ...words] of [
      [1, 'start'],
      [1, 'listen'],
      [2, 'scenario', 'run', resolve(SCENARIO)],
    ] as const) {
      const ran = bezant(...words)
      assert.match(ran.stderr, /^bezant: this runs the program itself, which is not part of this/)
      assert.equal(ran.status, status, words.join(' '))
    }
  })
})

/** The folder into which npm puts the package. */
const LIBRARY = 'node_modules/@bezant/cli'
const MODULE = ['--input-type=module', '--eval']
const SCENARIO = globSync('examples/scenarios/*.yaml').sort()[0] ?? ''

/** Makes it as another account would: in another time zone, with another mask of modes. */
function makeElsewhere(into: string): void {
  const script = `import { makeRelease } from './tools/release/artefacts.ts'
    makeRelease(process.argv[1])`
  const node = [process.execPath, ...MODULE, script, into]
  const env = { ...process.env, TZ: 'Pacific/Auckland', LC_ALL: 'C' }
  execFileSync('sh', ['-c', 'umask 0002; exec "$0" "$@"', ...node], { env })
}

function unpack(tarball: string, into: string): void {
  mkdirSync(into, { recursive: true })
  execFileSync('tar', ['-xzf', tarball, '-C', into, '--strip-components=1'])
}

const bezant = (...words: string[]) =>
  spawnSync(process.execPath, [join(installed, LIBRARY, 'apps/cli/bezant.mjs'), ...words], {
    encoding: 'utf8',
    env: { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, DATA_DIR: folder },
  })
