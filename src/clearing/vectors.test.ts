import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { joined, readAll, recordsIn } from '#test/support/clearing/files.ts'
import { objectOf, recordsOf } from './json.ts'
import { readClearing } from './reader.ts'
import { writeClearing } from './writer.ts'

const files = [
  { name: 'ipm_ascii', set: 'latin1', blocked: false },
  { name: 'ipm_ebcdic_1014', set: 'cp500', blocked: true },
] as const

const bytesOf = (name: string) => readFileSync(`test/vectors/clearing/${name}.bin`)
const valuesOf = (name: string): Record<string, unknown>[] =>
  JSON.parse(readFileSync(`test/vectors/clearing/${name}.json`, 'utf8'))

/** The other reader converts amounts, rates and numbers to integers, and dates. */
function converted(name: string, text: string): string | number {
  if (/^DE(4|5|6|9|10|26|30|71)$/.test(name)) return Number(text)
  if (name !== 'DE12') return text
  const [year, month, day, hour, minute, second] = text.match(/../g) ?? []
  return `20${year}-${month}-${day}T${hour}:${minute}:${second}`
}

for (const { name, set, blocked } of files) {
  test(`${name}: each record has the values that another reader finds`, async () => {
    const found = await recordsIn(bytesOf(name))
    const wanted = valuesOf(name)
    assert.equal(found.length, wanted.length)
    for (const [index, record] of found.entries()) {
      const object = Object.entries(objectOf(record))
      const known = Object.entries(wanted[index] ?? {}).filter(([key]) => !key.startsWith('TAG'))
      assert.deepEqual(
        Object.fromEntries(object.map(([key, text]) => [key, converted(key, text)])),
        Object.fromEntries(known),
      )
    }
  })

  test(`${name}: shown as JSON and written again, it has the same bytes`, async () => {
    const records = await recordsIn(bytesOf(name))
    const lines = records.map((record) => JSON.stringify(objectOf(record))).join('\n')
    const read = recordsOf(chunks(Buffer.from(lines), 1000))
    const written = await joined(writeClearing(read, { set, blocked }))
    assert.ok(written.equals(bytesOf(name)))
  })

  test(`${name}: of subelements alone the elements that hold them are made`, async () => {
    const objects = (await recordsIn(bytesOf(name))).map(objectOf)
    const lines = objects.map(({ DE48: _, ...others }) => JSON.stringify(others)).join('\n')
    const read = recordsOf(chunks(Buffer.from(lines), 7))
    const written = await joined(writeClearing(read, { set, blocked }))
    assert.ok(written.equals(bytesOf(name)))
  })

  test(`${name}: it is read in chunks of any size`, async () => {
    const whole = bytesOf(name)
    const wanted = await readAll(whole)
    for (const size of [1, 3, 1012, 1013, 1014, 1015]) {
      const found = []
      for await (const one of readClearing(chunks(whole, size), { size: whole.length })) {
        found.push(one)
      }
      assert.deepEqual(found, wanted)
    }
  })
}

async function* chunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}
