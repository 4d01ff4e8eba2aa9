/** `users|cards|accounts|transactions|disputes list|show`. */

import { Argument, Command, Option } from 'commander'
import type { Bezant, List } from '#client/index.ts'
import { type ApiOptions, apiCommand, withExamples } from '../kit/command.ts'
import { clientOf, platformOf } from '../kit/platform.ts'
import { note, print, readerGone, styled, widthOf } from '../kit/print.ts'
import { withoutCardData } from '../kit/secrets.ts'
import { type Column, tableOf } from '../kit/table.ts'
import { jsonOf, visible } from '../kit/text.ts'
import type { Resource } from './resources/columns.ts'
import { resources } from './resources/table.ts'

type ListOptions = ApiOptions & { all?: boolean; limit?: string; after?: string } & {
  [filter: string]: unknown
}

const PAGE = 100

export function resourceCommand(name: string): Command {
  const resource = resources[name]
  if (!resource) throw new Error(`there is no resource ${name}`)
  const { one } = resource
  const list = apiCommand('list')
    .summary(`list ${name}, newest first`)
    .description(`Lists ${name}, newest first, in pages.`)
    .option('--limit <count>', 'objects of a page')
    .option('--after <cursor>', 'begins behind this cursor')
    .option('--all', 'every page; with --json, one object a line')
  for (const { filter, words, values, about } of resource.filters) {
    const flag = `--${filter.replaceAll('_', '-')}${words === undefined ? '' : ` <${words}>`}`
    const usual = `only those of this ${filter.replaceAll('_', ' ')}`
    const option = new Option(flag, about ?? usual)
    if (values) option.choices([...values])
    list.addOption(option)
  }
  list.action((options: ListOptions) => listAll(resource, options))
  const show = apiCommand('show')
    .summary(`show one ${one}`)
    .description(`Shows one ${one}.`)
    .addArgument(new Argument('<id>', `id of the ${one}`))
    .action(async (id: string, options: ApiOptions) => {
      const found = withoutCardData(await resource.get(clientOf(platformOf(options)), id))
      if (options.json) print(jsonOf(found))
      else for (const line of membersOf(found)) print(line)
    })
  const examples = resource.examples.map((line) => `${name} ${line}`)
  const both = new Command(name).description(resource.about ?? `Lists and shows ${name}.`)
  both
    .addCommand(withExamples(list, examples))
    .addCommand(withExamples(show, [`${name} show ID`, `${name} show ID --json`]))
  for (const command of resource.more?.() ?? []) both.addCommand(command)
  return withExamples(both, examples)
}

async function listAll<Row extends object>(resource: Resource<Row>, options: ListOptions) {
  const query: Record<string, unknown> = {}
  for (const { filter } of resource.filters) {
    const value = options[filter.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())]
    if (value !== undefined) query[filter] = value
  }
  const { limit = options.all ? PAGE : undefined, after } = options
  const bezant: Bezant = clientOf(platformOf(options))
  const list = resource.list(bezant, { ...query, limit, after })
  if (options.all) return printAll(list, resource.columns, options)
  const page = await list
  if (options.json) return print(jsonOf(withoutCardData(page)))
  printTable(resource.columns, page.data)
  if (page.has_more) note(styled('dim', `More: --after ${visible(page.after ?? '')}, or --all`))
}

/** Page by page, so that a long list begins at once and is never held whole. */
async function printAll<Row extends object>(
  list: List<Row>,
  columns: readonly Column<Row>[],
  { json }: ListOptions,
): Promise<void> {
  let isFirst = true
  for await (const { data } of list.pages()) {
    if (json) for (const row of data) print(jsonOf(withoutCardData(row), 0))
    else if (data.length > 0 || isFirst) printTable(columns, data, isFirst)
    isFirst = false
    if (readerGone.aborted) return
  }
}

function printTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], hasHead = true) {
  if (rows.length === 0) return note('none')
  for (const line of tableOf(columns, rows, widthOf()).slice(hasHead ? 0 : 1)) print(line)
}

/** A line for each member that has a value; members of members by their dotted path. */
function membersOf(value: unknown): string[] {
  const found: [path: string, text: string][] = []
  const collect = (member: unknown, path: string): void => {
    if (typeof member === 'object' && member !== null) {
      for (const [name, inner] of Object.entries(member)) {
        collect(inner, path === '' ? name : `${path}.${name}`)
      }
    } else if (member !== null && member !== undefined) found.push([path, String(member)])
  }
  collect(value, '')
  const width = Math.max(0, ...found.map(([path]) => path.length))
  return found.map(
    ([path, text]) => `${styled('dim', visible(path).padEnd(width))}  ${visible(text)}`,
  )
}
