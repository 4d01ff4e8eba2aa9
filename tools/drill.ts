/**
 * `npm run drill -- NAME [--write]`: runs what the documents describe of operating the program, and
 * prints what happens. With --write, a drill that has passed writes docs/transcripts/NAME.md.
 */

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { parseArgs } from 'node:util'
import { drills } from '../deploy/drills/drills.ts'
import { DrillFault } from '../deploy/drills/fault.ts'
import { Transcript } from '../deploy/drills/transcript.ts'

const { name, write } = wordsOf()
const chosen = drills[name]

if (chosen === undefined) {
  console.error('Say which: npm run drill -- NAME [--write]')
  for (const [each, { title }] of Object.entries(drills))
    console.error(`  ${each.padEnd(10)} ${title}`)
  process.exitCode = 1
} else {
  try {
    const { drill } = await chosen.load()
    const transcript = new Transcript((line) => console.log(line))
    await drill(transcript)
    if (write) writePage(`docs/transcripts/${name}.md`, transcript.page(name, chosen.title))
  } catch (error) {
    if (!(error instanceof DrillFault)) throw error
    console.error(`\n${error.message}`)
    process.exitCode = 1
  }
}

/** No name where an option is not known. */
function wordsOf(): { name: string; write: boolean } {
  try {
    const options = { write: { type: 'boolean', default: false } } as const
    const { values, positionals } = parseArgs({ allowPositionals: true, options })
    return { name: positionals.length === 1 ? (positionals[0] ?? '') : '', write: values.write }
  } catch {
    return { name: '', write: false }
  }
}

function writePage(path: string, page: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, page)
  console.log(`\n${path} is written.`)
}
