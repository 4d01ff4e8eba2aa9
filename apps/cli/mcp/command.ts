/** `mcp`: serves the API to an agent, by the Model Context Protocol over stdio. */

import { Command } from 'commander'
import { withExamples } from '../kit/command.ts'
import type { Options } from './serve.ts'

export function mcpCommand(): Command {
  const command = new Command('mcp')
    .description(
      'Serves the API to an agent: its operations as tools of the Model Context Protocol, over ' +
        'standard input and output. Read only, and of a sandbox, unless options say otherwise.',
    )
    .option('-p, --profile <name>', 'profile of the platform (bezant profile list)')
    .option('--only <names>', 'operations or groups as the only tools, with commas; or all')
    .option('--write', 'offers operations that change something, too')
    .option('--live', 'allows a live platform')
    .action(async (options: Options) => {
      // The library of the protocol takes a quarter of a second, which no help needs.
      const { serve } = await import('./serve.ts')
      await serve(options)
    })
  return withExamples(command, [
    'mcp',
    'mcp --write',
    'mcp --only users,cards,explain_transaction',
    'mcp --profile staging --only all',
  ])
}
