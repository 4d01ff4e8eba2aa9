/**
 * `clearing collect` and `clearing collected`: the files of the own acquirer, each of which it
 * writes at the end of its day (docs/acquirer.md). A file is stored before its bytes are written,
 * and the same bytes are written as often as they are asked for.
 */

import type { Command } from 'commander'
import { transact } from '#kit/context.ts'
import { type Services, tenantContext } from '#kit/http/callers/callers.ts'
import { StartError } from '#kit/start_error.ts'
import { isId } from '#lib/id.ts'
import {
  bytesOf,
  findWrittenFile,
  listWrittenFiles,
  type WrittenFile,
  writeFile,
} from '#merchant/acquirer/acquirer.ts'
import { type Config, isOwnAddress } from '#src/config/config.ts'
import { printJson } from '#src/program/json_output.ts'
import { withExamples } from '../kit/command.ts'
import { EXIT, Fault, UsageFault } from '../kit/faults.ts'
import { note, print } from '../kit/print.ts'
import { asProgram } from './clearing_database.ts'
import { exitWith, type Json } from './command.ts'
import { refuseExisting, writeWhole } from './whole_file.ts'

const TENANT = '--tenant 0197f2a0-0000-7000-8000-000000000001'
export const COLLECTS = [
  `clearing collect OUT.bin ${TENANT} --issuer falcon`,
  `clearing collected ${TENANT}`,
] as const

type CollectOptions = Json & { tenant: string; issuer?: string; id?: string }

export function addCollect(command: Command, format: string): void {
  const code = EXIT.usage
  withExamples(command.command('collect'), [COLLECTS[0]])
    .summary('write what the own acquirer has collected into its next file, at once')
    .argument('<file>', 'a file that is not there yet')
    .requiredOption('--tenant <id>', 'the tenant whose captures and refunds leave')
    .option('--issuer <name>', 'for this issuer of ISSUERS_FILE; the default one if left out')
    .option('--id <id>', 'write this earlier file again, instead of the next one')
    .option('--json', 'print JSON')
    .action((path: string, options: CollectOptions) => {
      const failed = 'the clearing file is not written'
      const named = options.json ? format : undefined
      return exitWith({ failed, code, format: named }, () => collect(path, options, format))
    })
  withExamples(command.command('collected'), [COLLECTS[1]])
    .summary('list the files that the own acquirer has written')
    .requiredOption('--tenant <id>', 'the tenant')
    .option('--json', 'print JSON')
    .action((options: Json & { tenant: string }) => {
      const failed = 'the clearing files are not listed'
      const named = options.json ? format : undefined
      return exitWith({ failed, code, format: named }, () => listAll(options, format))
    })
}

async function collect(path: string, options: CollectOptions, format: string): Promise<number> {
  const { tenant, issuer, id, json } = options
  if (id !== undefined && !isId(id)) throw new UsageFault('--id is no id')
  if (id !== undefined && issuer !== undefined) throw new UsageFault('--id has its issuer')
  await refuseExisting(path)
  return asProgram(async (services, config) => {
    const ctx = await within(services, tenant)
    const row =
      id === undefined ? await next(ctx, config, issuer ?? null) : await findWrittenFile(ctx, id)
    if (!row && id !== undefined) throw new StartError(`the tenant has no clearing file ${id}`)
    if (!row) {
      if (json) printJson({ format, ok: false, failures: ['nothing is collected'] })
      else note('nothing is collected for this issuer')
      return EXIT.failed
    }
    await writeWhole(path, bytesOf(ctx, row)).catch((error: unknown) => {
      const again = `clearing collect ${path} --tenant ${tenant} --id ${row.id}`
      const sentence = error instanceof Error ? error.message : 'the file was not written'
      throw new Fault([sentence, `The file is stored. Write it again: ${again}`])
    })
    if (json) printJson({ format, ok: true, path, ...shown(row) })
    else print(`${path} is clearing file ${row.file}, ${row.messages} messages`)
    return EXIT.done
  })
}

type Ctx = Awaited<ReturnType<typeof within>>

function next(ctx: Ctx, config: Config, issuer: string | null): Promise<WrittenFile | undefined> {
  if (issuer !== null && !config.issuers.has(issuer)) {
    throw new StartError(`ISSUERS_FILE has no issuer ${issuer.slice(0, 40)}`)
  }
  const is_own = issuer === null && isOwnAddress(config)
  return transact(ctx, (tx) => writeFile(tx, { issuer, due_by: null, is_own }))
}

async function listAll(options: Json & { tenant: string }, format: string): Promise<number> {
  return asProgram(async (services) => {
    const rows = await listWrittenFiles(await within(services, options.tenant))
    if (options.json) printJson({ format, ok: true, files: rows.map(shown) })
    else {
      for (const { id, file, issuer, messages, created } of rows) {
        const to = issuer ?? 'the default issuer'
        print(`${id}  ${file}  ${to}  ${messages} messages  ${created.toISOString()}`)
      }
    }
    return EXIT.done
  })
}

async function within(services: Services, tenant_id: string) {
  if (!isId(tenant_id)) throw new UsageFault('--tenant is no id')
  const actor = { kind: 'system' as const, id: 'clearing collect' }
  return tenantContext(services, tenant_id, actor).catch(() => {
    throw new StartError(`there is no tenant ${tenant_id}`)
  })
}

const shown = ({ id, file, issuer, messages, amount, digest, created }: WrittenFile) => ({
  ...{ id, file, issuer, messages, amount },
  ...{ sha256: digest.toString('hex'), created: created.toISOString() },
})
