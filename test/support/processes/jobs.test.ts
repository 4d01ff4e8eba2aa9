import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { until } from '../services/receiver.ts'
import { runJobs } from './jobs.ts'
import { onServer } from './server.ts'

const folder = mkdtempSync(join(tmpdir(), 'bezant-jobs-'))
after(() => rmSync(folder, { recursive: true }))

/** Far above what a process needs to start, far below the limits of real ones. */
const PATIENT_MS = 120_000
const PATIENT = { process_ms: PATIENT_MS, linger_ms: PATIENT_MS }

function fileOf(name: string, text: string): string {
  const path = join(folder, `${name}.test.mjs`)
  writeFileSync(path, `import { after, test } from 'node:test'\n${text}\n`)
  return path
}

const run = (file: string, limits: { process_ms?: number; linger_ms?: number } = {}) =>
  runJobs([[file]], process.env, {
    limits: { ...PATIENT, ...limits },
    print: () => {},
  })

describe('a process of tests', () => {
  test('passes where its tests pass', async () => {
    const { code, tests, failures } = await run(fileOf('good', "test('adds', () => {})"))
    assert.deepEqual([code, tests, failures], [0, 2, []], 'the test and its file')
  })

  test('fails where a file fails that has defined a test before', async () => {
    const text = "test('adds', () => {})\nthrow new Error('no database')"
    const { code, fail, failures } = await run(fileOf('broken', text))
    assert.deepEqual([code, fail], [1, 1])
    assert.match(failures.join(), /broken\.test\.mjs \([\s\S]*no database/)
  })

  test('has the chance of its seed in every property', async () => {
    const file = fileOf(
      'chance',
      `import fc from ${JSON.stringify(import.meta.resolve('fast-check'))}
       test('draws', () => {
         const drawn = []
         fc.assert(fc.property(fc.nat(), (number) => drawn.push(number) > 0))
         console.log('drawn ' + drawn)
       })`,
    )
    const drawnBy = async (SEED: string) => {
      const lines: string[] = []
      const print = (output: string) => void lines.push(/drawn .*/.exec(output)?.[0] ?? 'nothing')
      await runJobs([[file]], { ...process.env, SEED }, { limits: PATIENT, print })
      return lines
    }
    const one = await drawnBy('1')
    assert.match(one.join(), /^drawn \d+(,\d+){99}$/)
    assert.deepEqual(await drawnBy('1'), one)
    assert.notDeepEqual(await drawnBy('2'), one)
  })

  test('is ended with its children after its limit, and names what had not ended', async () => {
    const pids = join(folder, 'pids')
    const file = fileOf(
      'hanging',
      `import { spawn } from 'node:child_process'
       import { writeFileSync } from 'node:fs'
       import { createTestDatabase } from ${JSON.stringify(new URL('./server.ts', import.meta.url))}
       test('adds', () => {})
       test('waits for ever', async () => {
         const { url } = await createTestDatabase()
         const forever = 'setInterval(() => {}, 1000)'
         const { pid } = spawn(process.execPath, ['-e', forever], { detached: true })
         writeFileSync(${JSON.stringify(pids)}, pid + ' ' + new URL(url).pathname.slice(1))
         await new Promise(() => setInterval(() => {}, 1000))
       })
       test('is never reached', () => {})`,
    )
    const { code, failures } = await run(file, { process_ms: 15_000 })
    assert.equal(code, 1)
    const [failure = ''] = failures
    assert.match(failure, /hanging\.test\.mjs/)
    assert.match(failure, /it was ended after 15 s[\s\S]*waits for ever\n1 others had not begun/)
    assert.doesNotMatch(failure, /: adds/)
    const [pid, database] = readFileSync(pids, 'utf8').split(' ')
    await until('the child has ended', async () => !isAlive(Number(pid)))
    assert.deepEqual(await databasesOf(database ?? ''), [])
  })

  test('is ended where it is kept after its last test, and where a file never loads', async () => {
    const kept = await run(fileOf('kept', "setInterval(() => {}, 1000)\ntest('adds', () => {})"), {
      linger_ms: 100,
    })
    assert.equal(kept.code, 1)
    assert.match(
      kept.failures.join(),
      /0\.1 s after its last test[\s\S]*something that they opened/,
    )
    const text = 'await new Promise(() => setInterval(() => {}, 1000))'
    const loading = await run(fileOf('loading', text), { process_ms: 8_000 })
    assert.equal(loading.code, 1)
    assert.match(loading.failures.join(), /loading\.test\.mjs was being loaded/)
  })
})

/** A process that has ended may stay as a zombie while no parent asks for it. */
function isAlive(pid: number): boolean {
  const path = `/proc/${pid}/stat`
  return existsSync(path) && !readFileSync(path, 'utf8').includes(') Z ')
}

async function databasesOf(name: string): Promise<string[]> {
  const server = process.env['TEST_SERVER_URL'] ?? ''
  const sql = 'select datname from pg_database where datname = $1'
  const { rows } = await onServer(server, (client) => client.query(sql, [name]))
  return rows.map(({ datname }) => datname)
}
