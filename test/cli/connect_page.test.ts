/** The commands of docs/connect_a_network.md; with WRITE_CLI_TRANSCRIPT=1 the test writes it. */

import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { keeper } from '#test/support/keeper.ts'
import { freePort } from '#test/support/processes/killable.ts'
import { dataFolder, type Launched, launch, sandboxIn } from '#test/support/processes/process.ts'
import { createTestDatabase, type TestDatabase } from '#test/support/processes/server.ts'
import { until } from '#test/support/services/receiver.ts'
import { openCommand, type Ran } from './running.ts'

const PAGE = 'docs/connect_a_network.md'
const FENCED = /```(\w+)\n([\s\S]*?)```/g
const START = 'NETWORKS_FILE=networks.json npx bezant start\n'
/** A line of the log that a command says to look for. */
const REPORT = 'a network sent no message'

const keep = keeper()
const DATA_DIR = dataFolder()
const command = keep(openCommand({ DATA_DIR }))
const inFolder = (name: string) => join(command.folder, name)
const files = ['networks.json', 'zmk.hex', 'zak.hex']

let database: TestDatabase
let program: Launched | undefined
let port = ''
let card = ''
/** How many reports of the log are shown already. */
let reported = 0

before(async () => {
  database = await createTestDatabase()
  port = await freePort()
})
after(async () => {
  await stop()
  await database.drop()
})

async function stop(): Promise<void> {
  program?.kill('SIGTERM')
  await program?.ended
}

const MASTER_KEY = randomBytes(32).toString('hex')
async function start(): Promise<void> {
  await stop()
  const NETWORKS_FILE = inFolder('networks.json')
  program = launch({ DATABASE_URL: database.url, DATA_DIR, MASTER_KEY, NETWORKS_FILE })
  reported = 0
  await program.ready
}

/** A file of the page, with the port and the folder of this run. */
function write(name: string, text: string): void {
  const own = text.replace('127.0.0.1:9100', `127.0.0.1:${port}`)
  writeFileSync(inFolder(name), own.replace('"zmk.hex"', JSON.stringify(inFolder('zmk.hex'))))
}

/** The command with what it prints, and the report that it caused in the log. */
async function run(line: string): Promise<string> {
  const words = line.replace('npx bezant ', '').split(' ')
  const own = words.map((word) => (files.includes(word) ? inFolder(word) : word))
  const ran = await command.run(own.map((word) => (word === 'CARD' ? card : word)))
  if (line.includes(' trigger ')) card = await numberOf(ran)
  assert.ok(card === '' || !`${ran.out}${ran.err}`.includes(card))
  const printed = `${ran.err}${ran.out}`.replaceAll(`${command.folder}/`, '')
  return `$ ${line}\n${printed}${ran.out.includes(REPORT) ? await report() : ''}`
}

async function report(): Promise<string> {
  const reports = await until('the report', () => {
    const lines = (program?.output() ?? '').split('\n').filter((line) => line.includes(REPORT))
    return lines.length > reported && lines
  })
  reported = reports.length
  return `The log of the program:\n${reports.at(-1)}\n`
}

async function numberOf({ out }: Ran): Promise<string> {
  const { base_url, tenant } = sandboxIn(DATA_DIR)
  const [, id] = /^a card is created.* (\S+)$/m.exec(out) ?? []
  const headers = { apikey: tenant.api_key }
  const answer = await fetch(`${base_url}/v1/cards/${id}:reveal`, { headers })
  return JSON.parse(await answer.text()).card_number
}

/** Two commands of one block run beside each other where the first one waits for the second. */
async function shown(text: string): Promise<string> {
  const lines = text.split('\n').filter((line) => line.startsWith('$ '))
  const [first = ''] = lines
  const isBeside = first.includes('await-')
  const ran: string[] = []
  if (isBeside) ran.push(...(await Promise.all(lines.map((line) => run(line.slice(2))))))
  else for (const line of lines) ran.push(await run(line.slice(2)))
  return ran.map((one) => stable(one).trimEnd()).join('\n\n')
}

/** Ids, numbers and times differ with each run; others of their length take their place. */
function stable(text: string): string {
  const names = new Map<string, string>()
  const named = (trace: string) => {
    if (!names.has(trace)) names.set(trace, String(names.size + 1).padStart(6, '0'))
    return names.get(trace) ?? ''
  }
  for (const [, trace = ''] of text.matchAll(/ 11=(\d{6})/g)) named(trace)
  return text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/g, (id) =>
      'ID'.padEnd(id.length, '·'),
    )
    .replace(/\b(?!400000\*)\d{6}\*{6}\d{4}\b/g, '400000******0000')
    .replace(/\b2026-\d\d-\d\dT[\d:.]+Z|\b20\d\d-\d\d-\d\dT[\d:.]+Z/g, '2026-01-15T09:00:00.000Z')
    .replace(/ 90=(\d{4})(\d{6})\d{10}/g, (_, mti, trace) => ` 90=${mti}${named(trace)}0115090000`)
    .replace(/ 37=\d{6}(\d{6})/g, (_, trace) => ` 37=090000${named(trace)}`)
    .replace(/ 11=(\d{6})/g, (_, trace) => ` 11=${named(trace)}`)
    .replace(/ 7=\d{10}/g, ' 7=0115090000')
    .replace(/ 12=\d{6} 13=\d{4}/g, ' 12=090000 13=0115')
    .replace(/ 38=\d{6}/g, ' 38=123456')
    .replace(/("first_bytes":"08008220) [^"]+/, '$1 ..-...-.......-----a...')
    .replace(/(that of check value) [0-9A-F]{6}/g, '$1 A1B2C3')
}

test(`${PAGE} shows what its commands print`, async () => {
  const page = readFileSync(PAGE, 'utf8')
  let whole = ''
  let at = 0
  for (const found of page.matchAll(FENCED)) {
    const [block, kind = '', text = ''] = found
    let written = block
    if (kind === 'json') write('networks.json', text)
    // The second file follows a key, and a start in words.
    if (kind === 'json' && text.includes('zmk_file')) await start()
    if (text === START) await start()
    if (/^[0-9A-F]+\n$/.test(text)) write('zmk.hex', text)
    if (text.startsWith('$ ')) written = `\`\`\`text\n${await shown(text)}\n\`\`\``
    whole += page.slice(at, found.index) + written
    at = found.index + block.length
  }
  whole += page.slice(at)
  if (process.env['WRITE_CLI_TRANSCRIPT']) writeFileSync(PAGE, whole)
  else assert.equal(page, whole)
})
