/** The subcommands, in the order of the help. Each is loaded when it is used, and only then. */

import { pathToFileURL } from 'node:url'
import type { Command } from 'commander'
import { EXIT } from './kit/faults.ts'
import { programAt } from './kit/platform.ts'

export type Subcommand = {
  name: string
  /** One sentence. */
  summary: string
  group: string
  load: () => Promise<Command>
  /** Exit codes of the command's own, by the usual exit code that each replaces. */
  codes?: Readonly<Record<number, number>>
  /** The meaning of its exit codes, if it is not the usual one. */
  exits?: string
  /** A file of the tree that the packed command line and the image may be without. */
  needs?: string
}

/** The usual meaning of exit codes. */
export const EXITS = '0 done, 1 the API answered with an error or not at all, 2 a wrong command'

const SCRIPT_EXITS = '0 all went well; any other is that of the script'

/** The readers of the documents, too. */
const INTEGRATE = 'Integrate:'
const OPERATE = 'Operate:'
const DEVELOP = 'Develop:'

type Loader = Subcommand['load']
type Row = Partial<Subcommand> & Pick<Subcommand, 'name' | 'summary'>
const request =
  (method: string): Loader =>
  async () =>
    (await import('./commands/request.ts')).requestCommand(method)
const resource =
  (name: string): Loader =>
  async () =>
    (await import('./commands/resources.ts')).resourceCommand(name)
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
const start: Loader = async () => (await import('./commands/scripts.ts')).startCommand()

type ServerModule = { command: () => Command }

/** Imported by its path, so that the sources of the program are not packed with it (D-988). */
function withProgram({
  name,
  ...row
}: Row): Pick<Subcommand, 'name' | 'summary' | 'needs' | 'load'> {
  const needs = `apps/cli/server/${name}.ts`
  const load = async () => {
    const { command }: ServerModule = await import(pathToFileURL(programAt(needs)).href)
    return command()
  }
  return { name, needs, load, ...row }
}

/** A script of the tree: the words behind the name are its own. */
function ofTree(name: string, needs: string, summary: string): Omit<Subcommand, 'group'> {
  const load = async () =>
    (await import('./commands/scripts.ts')).scriptCommand(name, needs, summary)
  return { name, summary, needs, load, exits: SCRIPT_EXITS }
}

const inGroup = (group: string, rows: readonly Omit<Subcommand, 'group'>[]): Subcommand[] =>
  rows.map((row) => ({ ...row, group }))

const integrate = inGroup(INTEGRATE, [
  { name: 'get', summary: 'Gets an object or a list by its path.', load: request('get') },
  { name: 'post', summary: 'Makes a POST request.', load: request('post') },
  { name: 'put', summary: 'Makes a PUT request.', load: request('put') },
  { name: 'delete', summary: 'Makes a DELETE request.', load: request('delete') },
  { name: 'users', summary: 'Lists and shows users.', load: resource('users') },
  { name: 'cards', summary: 'Lists and shows cards.', load: resource('cards') },
  { name: 'accounts', summary: 'Lists and shows accounts.', load: resource('accounts') },
  {
    name: 'transactions',
    summary: 'Lists and shows transactions.',
    load: resource('transactions'),
  },
  { name: 'disputes', summary: 'Opens, lists and moves disputes.', load: resource('disputes') },
  { name: 'explain', summary: 'Says why a transaction was decided so.', load: explain },
  { name: 'logs', summary: 'Shows decisions as they happen.', load: logs },
  withProgram({
    name: 'listen',
    summary: 'Prints events as they come, and forwards them to an address.',
    exits: '0 it was ended, as by Ctrl-C, 1 it cannot listen, 2 a wrong command',
  }),
  { name: 'mcp', summary: 'Offers the API to an agent (MCP).', load: mcp },
  { name: 'trigger', summary: 'Causes an event or a decline in a sandbox.', load: trigger },
  { name: 'clock', summary: 'Shows or moves the clock of a sandbox.', load: clock },
  withProgram({
    name: 'demo',
    summary: 'Runs an example against a sandbox that runs here.',
    exits: '0 all amounts agree, 1 it ended before, 2 a wrong command',
  }),
  {
    name: 'scenario',
    summary: 'Runs scenario files, or makes one of a transaction.',
    load: scenario,
    codes: { [EXIT.failed]: EXIT.usage },
    exits: '0 all passed, 1 a scenario failed, 2 nothing was run',
  },
  {
    name: 'export',
    summary: 'Writes the programme of a tenant as a file.',
    load: programme('export'),
  },
  {
    name: 'plan',
    summary: 'Shows what a file would change.',
    load: programme('plan'),
    codes: { [EXIT.usage]: EXIT.failed },
    exits: '0 no difference, 2 a difference, 1 an error or a wrong command',
  },
  { name: 'apply', summary: 'Makes a tenant like a file.', load: programme('apply') },
  { name: 'profile', summary: 'Keeps addresses and keys of platforms.', load: profile },
  { name: 'completion', summary: 'Prints a script of completion for a shell.', load: completion },
])

const operate = inGroup(OPERATE, [
  {
    name: 'start',
    summary: 'Starts the server.',
    needs: 'src/main.ts',
    load: start,
    exits: '0 it was stopped, 1 it could not start or go on, 2 a wrong command',
  },
  withProgram({
    name: 'operator',
    summary: "Invites the first member of the operator's team.",
    exits: '0 done, 1 there is no invitation, 2 a wrong command',
  }),
  withProgram({
    name: 'doctor',
    summary: 'Checks the promises of the whole database.',
    exits: '0 nothing found, 1 something found or nothing read, 2 a wrong command',
  }),
  withProgram({
    name: 'reconcile',
    summary: 'Compares the three books of a day.',
    exits: '0 nothing differs, 1 something differs, 2 not compared or a wrong command',
  }),
  withProgram({
    name: 'settlement',
    summary: 'Writes the settlement file of a day, or imports one.',
    exits: '0 written, or equal to the book, 1 different, 2 not done or a wrong command',
  }),
  withProgram({
    name: 'clearing',
    summary: 'Shows, writes, imports or exports a clearing file.',
    exits: '0 done, 1 a record is wrong, 2 not done or a wrong command',
  }),
  withProgram({
    name: 'audit',
    summary: 'Exports an anchor of the audit log, or verifies the log.',
    exits: '0 nothing wrong, 1 a wrong record or not finished, 2 a wrong command',
  }),
  withProgram({
    name: 'keys',
    summary: 'Rotates the data keys, wraps them anew, or moves card keys.',
    exits: '0 done, 1 not finished: run it again, 2 a wrong command',
  }),
  withProgram({
    name: 'distribute',
    summary: 'Spreads the tables over the nodes of a cluster.',
    exits:
      '0 done, and all nodes agree; 1 not finished, or they differ: run it again; ' +
      '2 a wrong command',
  }),
  withProgram({
    name: 'hsm',
    summary: 'Runs a simulator of a hardware security module.',
    exits: '0 it was ended, as by Ctrl-C, 1 it cannot run, 2 a wrong command',
  }),
  withProgram({
    name: 'scheme',
    summary: 'Is the scheme at the other end of a network, to try it.',
    exits: '0 each step came about, 1 one did not, 2 a wrong command',
  }),
])

const develop = inGroup(DEVELOP, [
  ofTree('test', 'test/run.ts', 'Runs all tests, or those of the files that are named.'),
  ofTree('check', 'tools/check.ts', 'Checks format, types, rules and generated files.'),
  ofTree('bench', 'bench/run.ts', 'Measures the program.'),
  ofTree('generate', 'tools/generate.ts', 'Writes the files that are generated.'),
  ofTree('drill', 'tools/drill.ts', 'Runs what the documents say of operating the program.'),
  ofTree('shots', 'tools/shots.ts', 'Pictures the pages of the console.'),
  ofTree('release', 'tools/release.ts', 'Makes the files of a release.'),
  withProgram({
    name: 'repl',
    summary: 'Opens a prompt with a Context of the demo tenant.',
    exits: '0 done, 1 there is no prompt, 2 a wrong command',
  }),
])

export const subcommands: readonly Subcommand[] = [...integrate, ...operate, ...develop]
