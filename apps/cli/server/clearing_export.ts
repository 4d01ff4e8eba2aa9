/**
 * `clearing export`: the next outgoing clearing file of a tenant, from a running program: it stores
 * each message in the transaction in which it leaves. A file that this command could not keep is
 * written again by its id.
 */

import type { Command } from 'commander'
import { isId } from '#lib/id.ts'
import { printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, Fault, UsageFault } from '../kit/faults.ts'
import { print } from '../kit/print.ts'
import { exitWith, type Json } from './command.ts'
import { askPlatform, type Platform, platformOf } from './operator.ts'
import { refuseExisting, writeWhole } from './whole_file.ts'

type ExportOptions = Json & {
  tenant: string
  id?: string
  institution?: string
  ebcdic?: boolean
  blocked?: boolean
  url?: string
  key?: string
}

export const EXPORTS = [
  'clearing export OUT.bin --tenant 0197f2a0-0000-7000-8000-000000000001',
] as const

export function addExport(command: Command, format: string): void {
  withExamples(command.command('export'), [...EXPORTS])
    .summary('write what has to leave for the network into the next file')
    .argument('<file>', 'a file that is not there yet')
    .requiredOption('--tenant <id>', 'the tenant whose messages leave')
    .option('--id <id>', 'write this earlier file again, instead of the next one')
    .option('--institution <id>', 'id of the issuer at the network; zeros where it is left out')
    .option('--ebcdic', 'write EBCDIC, not ASCII')
    .option('--blocked', 'write blocks of 1,014 bytes')
    .option('--url <url>', 'the platform; that of DATA_DIR/sandbox.json where it is left out')
    .option('--key <key>', "the operator's key; that of DATA_DIR where it is left out")
    .option('--json', 'print JSON')
    .action((path: string, options: ExportOptions) => {
      const failed = 'the clearing file is not written'
      const named = options.json ? format : undefined
      return exitWith({ failed, format: named }, () => exportTo(path, options, format))
    })
}

type Exported = { id: string; file: string; messages: number }

async function exportTo(path: string, options: ExportOptions, format: string): Promise<number> {
  const { tenant, id, institution, ebcdic, blocked } = options
  if (!isId(tenant)) throw new UsageFault('--tenant is no id')
  if (id !== undefined && !isId(id)) throw new UsageFault('--id is no id')
  await refuseExisting(path)
  const platform = platformOf(options)
  const body = {
    tenant_id: tenant,
    ...(institution !== undefined && { institution }),
    ...(ebcdic && { ebcdic }),
    ...(blocked && { blocked }),
  }
  const made = id === undefined ? await next(platform, body) : undefined
  const wanted = id ?? made?.id ?? ''
  const read = `/v1/operator/clearingexports/${wanted}:download?tenant_id=${tenant}`
  try {
    await writeWhole(path, [await bytesOf(await askPlatform(platform, 'GET', read))])
  } catch (error) {
    const again = `clearing export ${path} --tenant ${tenant} --id ${wanted}`
    throw new Fault([sentenceOf(error), `The file is made. Write it again: ${again}`])
  }
  if (options.json) {
    printJson({
      format,
      ok: true,
      file: path,
      id: wanted,
      ...(made && { messages: made.messages }),
    })
  } else print(`${path} is clearing file ${wanted}${made ? `, ${made.messages} messages` : ''}`)
  return EXIT.done
}

async function next(platform: Platform, body: object): Promise<Exported> {
  const answer = await askPlatform(platform, 'POST', '/v1/operator/clearings:export', body)
  // The body is the answer of the API to this operation (docs/openapi/issuing.json).
  return (await answer.json()) as Exported
}

const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer())

const sentenceOf = (error: unknown): string =>
  error instanceof Error ? error.message : 'the file was not written'
