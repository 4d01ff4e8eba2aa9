/** Output of `bezant` without a platform: help, completion, and the programs of a checkout. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { createTestDatabase } from '#test/support/processes/server.ts'
import { EXITS, subcommands } from '../../apps/cli/commands.ts'
import { kinds } from '../../apps/cli/trigger/kinds.ts'
import { openCommand } from './running.ts'

const keep = keeper()
const command = keep(openCommand())
const { run } = command
const loaded = () => Promise.all(subcommands.map(({ load }) => load()))
const namesOf = (group: string): string[] =>
  subcommands.filter((one) => one.group === group).map(({ name }) => name)
/** The words of every command that is in another. */
const inner = (await loaded()).flatMap((one) =>
  one.commands.map((below) => [one.name(), below.name()]),
)

describe('help', () => {
  test('names every subcommand by reader in a sentence, with an example and exit codes', async () => {
    const { code, out } = await run(['help'])
    assert.equal(code, 0)
    assert.equal((await run(['--help'])).out, out)
    const [readers] = out.split('\nCommands:')
    const found = [...(readers ?? '').matchAll(/^(?: {2}(\S+) +([A-Z].*\.)|(\w+:))$/gm)].map(
      ([, name, summary, group]) => group ?? `${name} ${summary}`,
    )
    const rows = (group: string) =>
      subcommands
        .filter((one) => one.group === group)
        .map(({ name, summary }) => `${name} ${summary}`)
    const groups = ['Integrate:', 'Operate:', 'Develop:']
    assert.deepEqual(
      found.filter((one) => one !== 'Options:'),
      groups.flatMap((group) => [group, ...rows(group)]),
    )
    assert.match(out, /\$ bezant explain/)
    assert.match(out, /Exit codes: 0 done/)
    assert.match((await run(['--version'])).out, /^\d+\.\d+\.\d+$/m)
  })

  test('of each command has examples and exit codes, and that of an inner one too', async () => {
    for (const { name, exits = EXITS } of subcommands) {
      const { code, out } = await run(['help', name])
      assert.equal(code, 0, name)
      assert.ok(out.includes(`\nExit codes: ${exits}.\n`), name)
      assert.match(out, new RegExp(`^ {2}\\$ bezant ${name}\\b`, 'm'))
      assert.doesNotMatch(out, /npm run/)
    }
    for (const words of inner) {
      const { out } = await run([...words, '--help'])
      assert.match(out, new RegExp(`^ {2}\\$ bezant ${words.join(' ')}\\b`, 'm'))
      assert.match(out, /\nExit codes: 0 /)
    }
  })

  test('is that of a command or an inner one, by --help and by help', async () => {
    for (const words of [['explain'], ['doctor'], ['keys', 'rotate'], ['bench']]) {
      const { code, out } = await run([...words, '--help'])
      assert.equal(code, 0)
      assert.match(out, new RegExp(`^Usage: bezant ${words.join(' ')} `))
      assert.equal((await run(['help', ...words])).out, out)
    }
  })

  test('of a command that is not there names the nearest one, and ends with 2', async () => {
    for (const words of [['docter'], ['docter', '--help'], ['help', 'docter'], ['docter', 'x']]) {
      const { code, out, err } = await run(words)
      assert.deepEqual([code, out], [2, ''], words.join(' '))
      assert.match(err, /unknown command 'docter'\n\(Did you mean doctor\?\)\nbezant help lists/)
    }
    const { code, err } = await run(['keys', 'rotat'])
    assert.equal(code, 2)
    assert.match(err, /Did you mean rotate\?/)
  })

  test('says what the exit codes mean as docs/cli.md does', () => {
    const page = readFileSync('docs/cli.md', 'utf8')
    for (const { name, exits = EXITS } of subcommands) {
      const rows = page.split('\n').filter((line) => new RegExp(`^\\|.*\`${name}\\b`).test(line))
      assert.ok(rows.length > 0, `docs/cli.md has a row of ${name}`)
      assert.ok(exits === EXITS || rows.some((row) => row.endsWith(`| ${exits} |`)), name)
    }
    assert.ok(page.includes(EXITS))
  })

  test('says that a command prints JSON, but of those that answer nothing', async () => {
    const all = [...(await loaded()).filter(({ commands }) => commands.length === 0)]
    const without = all.filter(({ options }) => !options.some(({ long }) => long === '--json'))
    // mcp prints messages of its protocol, completion a script, and the scripts of a developer what
    // they print without bezant.
    assert.deepEqual(
      without.map((command) => command.name()),
      ['mcp', 'completion', ...namesOf('Develop:')],
    )
    for (const { commands } of await loaded()) {
      for (const one of commands) assert.ok(one.options.some(({ long }) => long === '--json'))
    }
  })

  test('of trigger has every kind', async () => {
    const { out } = await run(['help', 'trigger'])
    for (const { name, about } of kinds)
      assert.ok(out.includes(`  ${name} `) && out.includes(about))
  })

  test('is fit to 60 columns', async () => {
    const { out } = await run(['transactions', 'list', '--help'], { env: { COLUMNS: '60' } })
    const options = out.split('Examples:')[0] ?? ''
    assert.deepEqual(
      options.split('\n').filter((line) => line.length > 60),
      [],
    )
  })
})

describe('completion', () => {
  /** The words that a shell offers; undefined if the machine has no such shell. */
  const offered = (shell: string, args: readonly string[]): string[] | undefined => {
    const { error, status, stdout, stderr } = spawnSync(shell, args, { encoding: 'utf8' })
    if (error) return undefined
    assert.equal(status, 0, stderr)
    return stdout.split('\n').filter((line) => line !== '')
  }
  const scriptOf = async (shell: string) => {
    const { code, out } = await run(['completion', shell])
    assert.equal(code, 0)
    const path = join(command.folder, `bezant.${shell}`)
    writeFileSync(path, out)
    return path
  }

  test('of bash offers subcommands, options, values and kinds', async () => {
    const path = await scriptOf('bash')
    const ask = (...words: string[]) =>
      offered('bash', [
        ...['--norc', '-c'],
        `source "$0"; COMP_WORDS=(bezant "$@"); COMP_CWORD=$#; _bezant; printf '%s\\n' "\${COMPREPLY[@]}"`,
        ...[path, ...words],
      ])
    const first = ask('tr')
    if (first === undefined) return
    assert.deepEqual(first, ['transactions', 'trigger'])
    assert.deepEqual(ask('transactions', ''), ['list', 'show', '--help'])
    assert.ok(ask('transactions', 'list', '--s')?.includes('--status'))
    assert.deepEqual(ask('transactions', 'list', '--status', 'D'), ['DECLINED'])
    assert.deepEqual(ask('trigger', 'kyc'), ['kyc.passed', 'kyc.rejected', 'kyc.match'])
    assert.deepEqual(ask('completion', 'z'), ['zsh'])
    assert.deepEqual(ask('help', 'pr'), ['profile'])
    assert.deepEqual(ask('audit', 'verify', '--a'), ['--anchor'])
    assert.deepEqual(ask('keys', 'r'), ['rotate', 'rewrap'])
    for (const one of await loaded()) {
      for (const [words, { options }] of [
        [[one.name()], one] as const,
        ...one.commands.map((below) => [[one.name(), below.name()], below] as const),
      ]) {
        const flags = options.map(({ long }) => long)
        assert.deepEqual(ask(...words, '--')?.sort(), [...flags, '--help'].sort())
      }
    }
  })

  test('of zsh and fish are scripts of these shells', async () => {
    for (const shell of ['zsh', 'fish']) {
      const path = await scriptOf(shell)
      assert.deepEqual(offered(shell, ['-n', path]) ?? [], [])
    }
  })

  test('of zsh and fish have every subcommand and kind', async () => {
    const { out: zsh } = await run(['completion', 'zsh'])
    const { out: fish } = await run(['completion', 'fish'])
    assert.match(zsh, /^#compdef bezant\n/)
    for (const { name } of [...subcommands, ...kinds]) {
      assert.ok(zsh.includes(`'${name}:`) || zsh.includes(`'${name}'`), name)
      assert.ok(fish.includes(` -a '${name}'`), name)
    }
    for (const one of await loaded()) {
      for (const { options } of [one, ...one.commands]) {
        for (const { long } of options) {
          assert.ok(zsh.includes(`'${long}:`), `${one.name()} ${long}`)
          assert.ok(fish.includes(` -l ${long?.slice(2)} `), `${one.name()} ${long}`)
        }
      }
    }
  })
})

describe('the programs of a checkout', () => {
  test('run with their words, and their exit code is that of bezant', async () => {
    const listen = await run(['listen', '--help'])
    assert.equal(listen.code, 0)
    assert.match(listen.out, /--forward-to <url>/)
    const demo = await run(['demo'])
    assert.equal(demo.code, 1)
    assert.match(demo.err, /sandbox\.json does not exist/)
    const start = await run(['start'], { env: { PORT: 'none' } })
    assert.equal(start.code, 1)
    assert.match(start.err, /PORT/)
  })

  test('read the database that the environment names', async () => {
    const database = await createTestDatabase()
    try {
      const env = { DATABASE_URL: database.url }
      const doctor = await run(['doctor'], { env })
      assert.equal(doctor.code, 0, doctor.err)
      const anchor = join(command.folder, 'anchor.json')
      assert.equal((await run(['audit', 'export', anchor], { env })).code, 0)
      assert.equal((await run(['audit', 'verify', '--anchor', anchor], { env })).code, 0)
    } finally {
      await database.drop()
    }
  })

  test('refuse an unknown word or option with 2 and a sentence, before they run', async () => {
    for (const [words, sentence] of [
      [['keys', 'nothing'], /unknown command 'nothing'/],
      [['keys', 'rewrap', '--remove-old'], /unknown option '--remove-old'/],
      [['doctor', '--all'], /unknown option '--all'/],
      [['doctor', 'cards'], /too many arguments/],
      [['start', '--port=1'], /unknown option '--port=1'/],
      [['completion', 'bash', '--json'], /unknown option '--json'/],
      [['mcp', '--json'], /unknown option '--json'/],
    ] as const) {
      const { code, out, err } = await run(words)
      assert.deepEqual([code, out], [2, ''], words.join(' '))
      assert.match(err, sentence)
    }
  })
})
