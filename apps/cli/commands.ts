/** The subcommands, in the order of the help. Each is loaded when it is used, and only then. */

import type { Command } from 'commander'
import { EXIT } from './kit/faults.ts'

export type Subcommand = {
  name: string
  summary: string
  group: string
  load: () => Promise<Command>
  /** Exit codes of the command's own, by the usual exit code that each replaces. */
  codes?: Readonly<Record<number, number>>
}

const API = 'The API:'
const SANDBOX = 'A sandbox:'
const FILE = 'A programme as a file:'
const PROGRAM = 'This program:'
const SETTINGS = 'Settings:'

type Loader = Subcommand['load']
const request =
  (method: string): Loader =>
  async () =>
    (await import('./commands/request.ts')).requestCommand(method)
const resource =
  (name: string): Loader =>
  async () =>
    (await import('./commands/resources.ts')).resourceCommand(name)
const script =
  (name: string): Loader =>
  async () =>
    (await import('./commands/scripts.ts')).scriptCommand(name)
const programme =
  (name: 'export' | 'plan' | 'apply'): Loader =>
  async () =>
    (await import('./commands/programme.ts')).programmeCommand(name)
const scenario: Loader = async () => (await import('./commands/scenario.ts')).scenarioCommand()
const trigger: Loader = async () => (await import('./commands/trigger.ts')).triggerCommand()
const explain: Loader = async () => (await import('./commands/explain.ts')).explainCommand()
const clock: Loader = async () => (await import('./commands/clock.ts')).clockCommand()
const logs: Loader = async () => (await import('./commands/logs.ts')).logsCommand()
const mcp: Loader = async () => (await import('./mcp/command.ts')).mcpCommand()
const profile: Loader = async () => (await import('./commands/profile.ts')).profileCommand()
const completion: Loader = async () =>
  (await import('./commands/completion.ts')).completionCommand()

export const subcommands: readonly Subcommand[] = [
  { name: 'get', summary: 'get an object or a list by its path', group: API, load: request('get') },
  { name: 'post', summary: 'make a POST request', group: API, load: request('post') },
  { name: 'put', summary: 'make a PUT request', group: API, load: request('put') },
  { name: 'delete', summary: 'make a DELETE request', group: API, load: request('delete') },
  { name: 'users', summary: 'list and show users', group: API, load: resource('users') },
  { name: 'cards', summary: 'list and show cards', group: API, load: resource('cards') },
  { name: 'accounts', summary: 'list and show accounts', group: API, load: resource('accounts') },
  {
    ...{ name: 'transactions', summary: 'list and show transactions', group: API },
    load: resource('transactions'),
  },
  { name: 'explain', summary: 'say why a transaction was decided so', group: API, load: explain },
  { name: 'logs', summary: 'show decisions as they happen', group: API, load: logs },
  { name: 'listen', summary: 'forward events to an address', group: API, load: script('listen') },
  { name: 'mcp', summary: 'offer the API to an agent (MCP)', group: API, load: mcp },
  { name: 'trigger', summary: 'cause an event or a decline', group: SANDBOX, load: trigger },
  { name: 'clock', summary: 'show or move the clock', group: SANDBOX, load: clock },
  { name: 'demo', summary: 'run an example', group: SANDBOX, load: script('demo') },
  {
    ...{ name: 'scenario', summary: 'run or record scenarios', group: SANDBOX },
    load: scenario,
    codes: { [EXIT.failed]: EXIT.usage },
  },
  {
    name: 'export',
    summary: 'write the programme of a tenant',
    group: FILE,
    load: programme('export'),
  },
  {
    ...{ name: 'plan', summary: 'show what a file would change', group: FILE },
    load: programme('plan'),
    codes: { [EXIT.usage]: EXIT.failed },
  },
  { name: 'apply', summary: 'make a tenant like a file', group: FILE, load: programme('apply') },
  { name: 'start', summary: 'start the server', group: PROGRAM, load: script('start') },
  { name: 'doctor', summary: 'check the whole database', group: PROGRAM, load: script('doctor') },
  { name: 'audit', summary: 'export or verify the log', group: PROGRAM, load: script('audit') },
  { name: 'keys', summary: 'rotate or rewrap keys', group: PROGRAM, load: script('keys') },
  { name: 'profile', summary: 'addresses and keys', group: SETTINGS, load: profile },
  {
    ...{ name: 'completion', summary: 'completion for a shell', group: SETTINGS },
    load: completion,
  },
]
