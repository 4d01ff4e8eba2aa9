/** `profile add|use|list|remove`. A key is never a word of a command line (D-813). */

import { text } from 'node:stream/consumers'
import type { ReadStream } from 'node:tty'
import { Command } from 'commander'
import { withExamples } from '../kit/command.ts'
import { UsageFault } from '../kit/faults.ts'
import { keyOf } from '../kit/platform.ts'
import { note, print, widthOf } from '../kit/print.ts'
import { addressOf, profileOf, readProfiles, writeProfiles } from '../kit/profiles.ts'
import { tableOf } from '../kit/table.ts'
import { jsonOf, visible } from '../kit/text.ts'

export function profileCommand(): Command {
  const command = new Command('profile').description('Addresses and keys of platforms.')
  const adds = [
    'profile add live https://issuer.example.com',
    'profile add live https://issuer.example.com < key.txt',
    'profile add shop https://issuer.example.com --merchant PUBLIC_KEY < private-key.txt',
  ]
  withExamples(command.command('add'), adds)
    .summary('add a profile, and use it')
    .description('Adds a profile and uses it. The key is asked for, or read from standard input.')
    .argument('<name>', 'name of the profile')
    .argument('<url>', 'address of the platform, as https://issuer.example.com')
    .option('--merchant <public key>', 'the key is the private one of this merchant')
    .option('--session', 'the key is a session of the portal: the value of its cookie')
    .option('--json', 'print JSON')
    .action(add)
  withExamples(command.command('use'), ['profile use live'])
    .summary('use a profile from now on')
    .argument('<name>', 'name of the profile')
    .option('--json', 'print JSON')
    .action((name: string, options: Json) => {
      const found = readProfiles()
      const { url } = profileOf(found, name)
      writeProfiles({ ...found, current: name })
      said(`profile ${visible(name)} is used`, { name, url, current: true }, options)
    })
  withExamples(command.command('list'), ['profile list', 'profile list --json'])
    .summary('list the profiles')
    .option('--json', 'print JSON')
    .action(({ json }: { json?: boolean }) => list(json === true))
  withExamples(command.command('remove'), ['profile remove live'])
    .summary('remove a profile and its key')
    .argument('<name>', 'name of the profile')
    .option('--json', 'print JSON')
    .action((name: string, options: Json) => {
      const found = readProfiles()
      const { url } = profileOf(found, name)
      const { [name]: _, ...profiles } = found.profiles
      const keeps = found.current !== undefined && found.current !== name
      writeProfiles({ ...(keeps && { current: found.current }), profiles })
      said(`profile ${visible(name)} is removed`, { name, url, removed: true }, options)
    })
  return withExamples(command, [...adds, 'profile list', 'profile use live'])
}

type Json = { json?: boolean }

/** A remark, or with --json a document. */
function said(remark: string, document: object, { json }: Json): void {
  if (json) print(jsonOf(document))
  else note(remark)
}

type AddOptions = Json & { merchant?: string; session?: boolean }

async function add(
  name: string,
  url: string,
  { merchant, session, ...options }: AddOptions = {},
): Promise<void> {
  if (merchant !== undefined && session) {
    throw new UsageFault('a profile has the keys of a merchant or a session, not both')
  }
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/.test(name) || name === '__proto__') {
    throw new UsageFault('the name of a profile has letters, digits, dots, - and _')
  }
  const address = addressOf(url)
  const whose = session ? 'Session' : merchant === undefined ? 'API key' : 'Private key'
  const own = {
    ...(merchant !== undefined && { public_key: keyOf(merchant) }),
    ...(session && { session: true as const }),
  }
  const typed = process.stdin.isTTY ? await hidden(`${whose}: `, process.stdin) : await piped()
  const key = keyOf(typed)
  const { profiles } = readProfiles()
  writeProfiles({ current: name, profiles: { ...profiles, [name]: { url: address, key, ...own } } })
  said(`profile ${name} is used: ${address}`, { name, url: address, current: true }, options)
}

const piped = () => text(process.stdin)

function list(json: boolean): void {
  const { current, profiles } = readProfiles()
  const rows = Object.entries(profiles).map(([name, { url, public_key, session }]) => ({
    name,
    url,
    key: session ? 'session' : public_key === undefined ? 'API key' : 'merchant',
    current: name === current,
  }))
  if (json) return void print(jsonOf(rows))
  if (rows.length === 0) return void note('none')
  const columns = [
    { title: '', rank: 2, value: (row: { current: boolean }) => (row.current ? '*' : '') },
    { title: 'NAME', rank: 0, value: ({ name }: { name: string }) => name },
    { title: 'KEY', rank: 3, value: ({ key }: { key: string }) => key },
    { title: 'URL', rank: 1, least: 12, value: ({ url }: { url: string }) => url },
  ]
  for (const line of tableOf<(typeof rows)[number]>(columns, rows, widthOf())) print(line)
}

/** One line of a terminal, which shows none of it. */
function hidden(prompt: string, terminal: ReadStream): Promise<string> {
  process.stderr.write(prompt)
  terminal.setRawMode(true).resume().setEncoding('utf8')
  return new Promise((resolve, reject) => {
    let typed = ''
    const end = () => {
      terminal.off('data', take)
      terminal.setRawMode(false).pause()
      process.stderr.write('\n')
    }
    const take = (part: string) => {
      for (const character of part) {
        if (character === '\r' || character === '\n' || character === '\u0004') {
          end()
          return resolve(typed)
        }
        if (character === '\u0003') {
          end()
          return reject(new UsageFault('nothing was added'))
        }
        typed = character === '\u007f' ? typed.slice(0, -1) : typed + character
      }
    }
    terminal.on('data', take)
  })
}
