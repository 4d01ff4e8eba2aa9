/**
 * The programme of a tenant as a file: docs/programme.md. A client of the API alone.
 *
 *   npm run programme -- export > programme.yaml
 *   npm run programme -- plan programme.yaml
 *   npm run programme -- apply programme.yaml
 */

import { createInterface } from 'node:readline/promises'
import { setTimeout } from 'node:timers/promises'
import { runProgramme } from './run.ts'

const isTerminal = process.stdin.isTTY && process.stdout.isTTY

process.exitCode = await runProgramme(process.argv.slice(2), {
  env: process.env,
  print: (text) => console.log(text),
  printError: (text) => console.error(text),
  ask: isTerminal ? ask : undefined,
  wait: async (ms) => setTimeout(ms),
})

async function ask(question: string): Promise<string> {
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  try {
    return await lines.question(question)
  } finally {
    lines.close()
  }
}
