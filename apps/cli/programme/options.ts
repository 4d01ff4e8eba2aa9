/** What a command is to do: its words, its options and the environment. */

import { parseArgs } from 'node:util'
import { Fault } from './fault.ts'
import { DAYS_MAX } from './plan/trial.ts'

export const USAGE = `npm run programme -- export [--out FILE] [options]
npm run programme -- plan FILE [--prune] [--backtest DAYS] [--json] [options]
npm run programme -- apply FILE [--prune] [--backtest DAYS] [--yes] [options]

  --out FILE       writes the file; on the screen where it is left out
  --prune          deletes webhooks that are not in the file; nothing else is ever deleted
  --backtest DAYS  decides the authorizations of so many days again with the changed controls
  --json           prints the plan as JSON
  --yes            does not ask; required where there is no terminal
  --url URL        the platform; the environment variable BEZANT_URL where it is left out
  --key KEY        an API key with the permission read, and write for apply and --backtest;
                   BEZANT_KEY where it is left out, which npm does not print

Exit code 0: no difference, or done. 2: plan found a difference. 1: an error; not all is done.`

const options = {
  url: { type: 'string' },
  key: { type: 'string' },
  out: { type: 'string' },
  prune: { type: 'boolean' },
  backtest: { type: 'string' },
  json: { type: 'boolean' },
  yes: { type: 'boolean' },
  help: { type: 'boolean' },
} as const

type Common = { url: string; key: string }
export type Command = Common &
  (
    | { command: 'export'; out: string | undefined }
    | {
        command: 'plan' | 'apply'
        file: string
        prune: boolean
        days: number | undefined
        json: boolean
        yes: boolean
      }
  )

/** The options that a command has beside those of all. */
const OWN: Readonly<Record<Command['command'], readonly string[]>> = {
  export: ['out'],
  plan: ['prune', 'backtest', 'json'],
  apply: ['prune', 'backtest', 'yes'],
}

/** Undefined where help is wanted. Throws a Fault for what cannot be done; it names no key. */
export function readCommand(args: readonly string[], env: NodeJS.ProcessEnv): Command | undefined {
  const { values, positionals } = parse(args)
  if (values.help) return undefined
  const [command, file, ...more] = positionals
  if (!isCommand(command)) throw new Fault(['say export, plan or apply', '', USAGE])
  if (more.length > 0 || (command === 'export' && file !== undefined)) {
    throw new Fault([`${command} takes ${command === 'export' ? 'no file' : 'one file'}`])
  }
  const other = Object.keys(values).find((name) => !['url', 'key', ...OWN[command]].includes(name))
  if (other) throw new Fault(`${command} has no option --${other}`)
  const common = {
    url: urlOf(values.url ?? env['BEZANT_URL']),
    key: keyOf(values.key ?? env['BEZANT_KEY']),
  }
  if (command === 'export') return { ...common, command, out: values.out }
  if (file === undefined) throw new Fault(`${command} needs the name of a file`)
  const { prune = false, json = false, yes = false } = values
  return { ...common, command, file, prune, json, yes, days: daysOf(values.backtest) }
}

const isCommand = (word: string | undefined): word is Command['command'] =>
  word === 'export' || word === 'plan' || word === 'apply'

function parse(args: readonly string[]) {
  try {
    return parseArgs({ args: [...args], options, strict: true, allowPositionals: true })
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException // What parseArgs throws.
    // A key that begins with a dash would be in the message.
    const isShown =
      code === 'ERR_PARSE_ARGS_INVALID_OPTION_VALUE' || /^Unknown option '--?[a-z]+'/.test(message)
    throw new Fault([
      isShown ? (message.split('\n')[0] ?? '') : 'an option is not known',
      '',
      USAGE,
    ])
  }
}

function urlOf(text: string | undefined): string {
  if (text === undefined || text === '') throw new Fault('give --url, or set BEZANT_URL')
  const url = URL.parse(/^[a-z]+:\/\//i.test(text) ? text : `http://${text}`)
  if (!url || !/^https?:$/.test(url.protocol)) throw new Fault('--url is not an http address')
  if (url.username || url.password) throw new Fault('--url has a user or a password')
  return `${url.origin}${url.pathname}`.replace(/\/+$/, '')
}

function keyOf(text: string | undefined): string {
  if (text === undefined || text === '') throw new Fault('give --key, or set BEZANT_KEY')
  if (!/^[\x21-\x7e]{1,300}$/.test(text)) throw new Fault('the key is not an API key')
  return text
}

function daysOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const days = /^\d{1,3}$/.test(text) ? Number(text) : 0
  if (days < 1 || days > DAYS_MAX) throw new Fault(`--backtest is 1 to ${DAYS_MAX} days`)
  return days
}
